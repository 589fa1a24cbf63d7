"""Pictures as notebooks store them: a drawing comes back as it was; a browser shows it with scripts and without."""

import pytest

from treebook.figures import concepts
from treebook.figures.drawing import framed, written
from treebook.figures.stored import as_images, as_pictures, restored, stored

ODD = "50 % of \"a<b>\" & 'c' #1 \\ ünï 🦄\nand a second line"


def drawing(text=ODD):
    return framed([written(10, 20, text)], (120, 40), least=100, title=text, about=text, css=".tot-ink{fill:#123}")


@pytest.mark.parametrize("picture", [drawing(), concepts.transformer(), concepts.orders()], ids=["odd", "file", "page"])
def test_a_drawing_comes_back_as_it_was(picture):
    page = f"<p>before</p>{picture._repr_html_()}<p>after</p>"
    images = as_images(page)
    assert "<svg" not in images and images.count('<img class="tot-image"') == page.count("<svg ")
    assert as_pictures(images) == page and as_images(images) == images


def test_a_plot_is_named_by_its_words_and_other_outputs_stay():
    plot = '<svg class="tot-plot" width="9"><text>loss</text><text>0.5</text><text>a "b" &amp; c</text></svg>'
    data = {"image/svg+xml": plot, "text/plain": "<Figure>"}
    kept = stored(data)
    assert (
        list(kept) == ["text/html", "text/plain"] and 'alt="Plot: loss, a &quot;b&quot; &amp; c"' in kept["text/html"]
    )
    assert restored(kept) == data and "onload" not in kept["text/html"]
    for other in ({"text/plain": "1"}, {"text/html": "<p>a</p>", "text/plain": "a"}, {"text/html": "<svg></svg>"}):
        assert stored(other) == other == restored(other)


@pytest.mark.parametrize("scripts", [True, False])
def test_it_is_shown_with_scripts_as_a_part_of_the_page_and_without_as_an_image(chromium, scripts):
    context = chromium.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.set_content(as_images(drawing()._repr_html_()))
    page.wait_for_load_state("load")
    if scripts:
        page.locator("svg.tot-svg text").wait_for()
        assert page.locator("svg.tot-svg text").text_content() == ODD and page.locator("img").count() == 0
    else:
        box = page.locator("img").bounding_box()
        assert (box["width"], box["height"]) == (120, 40)
        assert page.locator("img").get_attribute("alt") == ODD
    context.close()
