"""A scripted team of planner, judges and executor, and trees of plans that it follows."""

from tot import Scripted

X = "Ada has 3 apples and buys 4. How many has she?"
#          A .5
#    B .6       C .4
#  D .9  E .2
PLANS = {"": ["A"], "A": ["B", "C"], "B": ["D", "E"], "C": ["F", "G"], "D": ["H", "I"]}
SCORES = {"A": 0.5, "B": 0.6, "C": 0.4, "D": 0.9, "E": 0.2, "F": 0.1, "G": 0.1, "H": 0.3, "I": 0.3}
LUCKY = {"": ["A"], "A": ["B", "C"], "B": ["D", "E"], "C": ["F", "G"]}
LUCK = {"A": 0.5, "B": 0.7, "C": 0.6, "D": 0.6, "E": 0.6, "F": 1.0, "G": 0.1}


def team(plans=PLANS, scores=SCORES, answers=None):
    """Planner, judges and executor in one: plan -> its revisions, its score or what both judges say, its answer."""

    def says(request, i):
        text = request.messages[0].content
        plan = text.partition("Plan:\n")[2].partition("\n\n")[0]
        if "Write a " in text:
            replies = plans.get(plan, [])
            return replies[i] if i < len(replies) else ""
        if "Score: N" in text:
            said = scores.get(plan, "")
            if not isinstance(said, tuple):
                said = (f"Score: {said}\nsound {plan}", f"Score: {said}\ndoable {plan}")
            return said["Each" in text or "each step" in text]
        return f"By plan {plan or 'none'}. The answer is {(answers or {}).get(plan, 7)}."

    return Scripted(says, name="team")
