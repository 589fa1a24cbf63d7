"""The figures of the book, a file each; ``treebook.show`` has them all by name."""
