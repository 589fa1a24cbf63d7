"""Experiments on easy puzzles: models that are right by a rule, or fail."""

from tot.experiments import grid, run_experiment
from tot.lm.base import LMError
from tot.lm.scripted import Scripted
from tot.tasks import task
from tot.tasks.game24_rules import Fraction, expression, moves, solvable

GAME = task("game24")

EASY = GAME.problems("easy")


def puzzle(request):
    """The puzzle that a request is about: the last line with "Numbers:" of its last message."""
    return request.messages[-1].content.removeprefix("Numbers: ")


def by_rule(rule):
    """An LM for IO that is right where ``rule(problem, sample index)`` says so."""

    def solution(numbers, steps=()):
        if len(numbers) == 1:
            return steps if numbers[0] == 24 else None
        return next((s for m in moves(numbers) if solvable(m.left) and (s := solution(m.left, (*steps, m)))), None)

    def answer(request, i):
        x = puzzle(request)
        if not rule(x, i):
            return "Answer: 1 + 1"
        numbers = tuple(sorted(map(Fraction, x.split())))
        return f"Answer: {expression(numbers, solution(numbers))}"

    return Scripted(answer)


def half(x, i):
    return sum(map(int, x.split())) % 2 == 0


def failing(bad, answer="Answer: 1 + 1", name="scripted"):
    def reply(request, i):
        if puzzle(request) in bad:
            raise LMError("no server answers")
        return answer

    return Scripted(reply, name)


def lines_for(tmp_path, rule, methods, n=12):
    return run_experiment(grid(GAME, methods, EASY[:n]), by_rule(rule), out=tmp_path / "table.jsonl")
