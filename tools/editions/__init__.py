"""The whole book as one file: a PDF for paper and screens, and an EPUB for e-readers.

    python -m tools.editions pdf _build/html _build/thinking-in-trees.pdf
    python -m tools.editions epub _build/html _build/thinking-in-trees.epub

Both are made from the built pages, so that they say what the pages say, in the language that the pages are in:
``volume`` reads the order of the pages, ``still`` takes from an article what needs a screen or a click, ``links`` makes
a link between two pages one within the file, and the templates write title page, imprint and contents. ``pdf`` lets
Chromium print all of it as one document, ``epub`` packs it as one file of XHTML for each page.

Sphinx has builders of its own for both. They are not used: its LaTeX knows nothing of inline SVG and HTML outputs, and
its EPUB copies raw HTML, styles and scripts as they are, which no e-reader accepts.
"""
