"""Drives a part of a search by hand."""

from tot import Ask


def drive(asking, lm):
    """Answer every ask of a part of a search: what it returns, its asks and its events."""
    asks, events, sent = [], [], None
    while True:
        try:
            item = asking.send(sent)
        except StopIteration as stop:
            return stop.value, asks, events
        if isinstance(item, Ask):
            asks.append(item)
            sent = lm(item.requests) if item.requests else []
        else:
            events.append(item)
            sent = None
