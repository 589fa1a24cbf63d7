"""The explorer: a search as a page that opens, with its tree, its story and its bill; no server and no widget."""
