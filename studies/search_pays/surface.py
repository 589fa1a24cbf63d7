def figures(lines, names, puzzles):
    return {}
