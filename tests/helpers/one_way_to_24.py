"""A player that knows one way to 24, for tests of methods and searches."""

X = "4 9 10 13"
RIGHT, OTHER, WRONG = "(13 - 9) * (10 - 4)", "(10 - 4) * (13 - 9)", "4 + 9 + 10 + 13"


def tree_player(request, i):
    """Knows one way to 24: proposes its steps among others, and is sure about the states on it."""
    system, last = request.messages[0].content, request.messages[-1].content
    if system.startswith("Combine"):
        return {
            "Numbers: 4 9 10 13": "4 + 9 = 13 (left: 10 13 13)\n13 - 9 = 4 (left: 4 4 10)\n13 - 9 = 5\nhello",
            "Numbers: 4 4 10": "4 + 4 = 8 (left: 8 10)\n10 - 4 = 6 (left: 4 6)",
            "Numbers: 4 6": "4 + 6 = 10 (left: 10)\n4 * 6 = 24 (left: 24)",
        }.get(last, "10 + 13 = 23 (left: 13 23)")
    if "as one expression" in system:
        return f"Answer: {RIGHT}" if "4 * 6" in last else f"Answer: {WRONG}"
    if "Judge" in system:
        return "sure" if RIGHT in last else "impossible"
    return "sure" if last in ("4 4 10", "4 6") else ["impossible", "likely", "24"][i % 3]
