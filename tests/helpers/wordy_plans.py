"""A scripted model that writes as GPT-4 does, about plans and steps with tools: greetings, headings, bold words,
reasons before the answer. A reply that is longer than a request allows is cut off, as by a server.
"""

from itertools import cycle

from tot import Sample, Scripted

WORDS = "This matters, since a later step relies on what is written down here, and nothing that follows can repair it. "
DETAIL = WORDS * 4  # about 100 tokens
SCORES = ("**Score: 0.85**", "Score: 9/10", "## Score\n\n**0.7**", "So my overall score would be **0.8** out of 1.")
OPENINGS = (
    "Certainly! Here's a plan for solving this question:\n\n",
    "### Plan\n\n",
    "**Revised plan:**\n\n---\n\n",
    "Sure, let's go through it. We can follow these steps:\n\n",
)


def plan(seed):
    """Six sentences, as in figure 4 of the paper, no two plans the same."""
    names = (
        "Define the task",
        "List what is given",
        "Choose the operation",
        "Carry it out",
        "Check",
        "State the answer",
    )
    steps = "\n".join(f"{i}. **{name}:** {DETAIL}" for i, name in enumerate(names, 1))
    return f"{steps}The mark of this plan is {seed}."


def verbose(answers, steps=(), name="verbose"):
    """``answers``: what a solution ends with. ``steps``: the actions of a path with tools, one after another."""
    said, scores, openings = [], cycle(SCORES), cycle(OPENINGS)

    def says(request, i):
        text = request.messages[-1].content
        if "Score: N" in text:
            reply = (
                f"Let's look at it step by step.\n\n1. {DETAIL}\n2. {DETAIL}\n\nA perfect one would get a score of 1."
            )
            reply += f" Missing: remark {len(said)}.\n\n{next(scores)}"
        elif "Write a " in text and "plan" in text:
            reply = next(openings) + plan(f"{len(said)}-{i}")
        elif "went wrong" in text:
            reply = f"**What went wrong:** {DETAIL}\n\n**Next time:** {DETAIL} lesson {len(said)}."
        elif "the next thought" in text:
            done = text.partition("From earlier attempts:")[0].count("\nAction: ")
            action = steps[min(done, len(steps) - 1)] if i == 0 else f"Search[Something else {len(said)} {i}]"
            reply = f"**Thought {done + 1}:** {DETAIL}\n\n{DETAIL} So far thought {len(said)}."
            reply += f"\n\n**Action {done + 1}:** `{action}`"
        else:
            reply = f"Let's work through it.\n\n**Step 1.** {DETAIL}\n\n**Step 2.** {DETAIL}\n\n{answers}"
        said.append(reply)
        tokens = len(reply) // 4
        if request.max_tokens is not None and tokens > request.max_tokens:
            return Sample(reply[: 4 * request.max_tokens], "length", request.max_tokens)
        return Sample(reply, "stop", tokens)

    return Scripted(says, name=name)
