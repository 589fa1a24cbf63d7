"""A right answer is read right or not at all, whatever stands around it: a remark's number is no answer."""

from fuzz import fuzz
from hypothesis import given
from hypothesis import strategies as st
from tables import bars

from tot import Problem, State, task

RIGHT = {
    "gsm8k": ("How much?", "18", "18|$18|18 dollars|18.00"),
    "strategyqa": ("Is it?", "yes", "yes|Yes"),
    "commonsenseqa": ("Where? Choices: (A) a bank (B) a shop (C) a zoo", "C", "C|(C)|(C) a zoo|C) a zoo|a zoo"),
    "last_letters": ("Which letters?", "yajo", 'yajo|Yajo|"yajo"'),
    "game24": ("4 9 10 13", None, "(10 - 4) * (13 - 9)|(10 - 4) × (13 - 9) = 24|(13 - 9)(10 - 4)"),
}
BEFORE = "|Let me think.⏎⏎|First, I look at 2 things: the price and the count.⏎⏎"
BEFORE += "|I considered 25 first, but it is too much.⏎"
BEFORE += "|**Step 1:** 3 + 4 = 7.⏎**Step 2:** 7 * 2 = 14.⏎⏎|1. Look at it.⏎2. Check 3 cases.⏎⏎|- one: 1⏎- two: 2⏎⏎"
BEFORE += "|### Reasoning⏎It follows from 2 facts.⏎⏎### Answer⏎|At first the answer seems to be 7, but no.⏎"
BEFORE += "|Hmm. |Sure!⏎"
FORMS = "{}|The answer is {}.|Answer: {}|**Answer:** {}|So the answer is {}.|**{}**|<answer>{}</answer>"
FORMS += r"|Final answer: **{}**|Therefore, the final answer is {}.|\boxed{{{}}}|#### {}"
FORMS += "|It must be {}.|So it is {}.|Hence {}.|Answer → {}"
BEHIND = "|⏎⏎Let me know if you want 3 more examples!|⏎⏎Note: there are 2 other ways to see it.|⏎⏎Confidence: 95%| [1]"
BEHIND += "|⏎⏎Explanation: because 1 + 1 = 2.|⏎⏎**Reasoning:** It is 2 times 9, and B or A would not do."
BEHIND += "| (confidence: 90%)|⏎⏎I double-checked it twice.|⏎⏎Sources: [1] Wikipedia|⏎⏎This is based on 3 facts."
BEHIND += "|⏎⏎No other answer fits."
BEHIND += "|⏎⏎- Check 1: fine⏎- Check 2: fine|⏎⏎Confidence in the answer: 95%|⏎⏎#### Why⏎It is 2 times 9."
BEHIND += "|⏎⏎A quick check: fine."


@fuzz()
@given(st.sampled_from(sorted(RIGHT)), st.data())
def test_a_right_answer_is_read_right_or_not_at_all(name, data):
    x, gold, answers = RIGHT[name]
    before, form, answer, behind = (data.draw(st.sampled_from(bars(one))) for one in (BEFORE, FORMS, answers, BEHIND))
    reply = f"{before}{form.format(answer)}{behind}".replace("⏎", "\n")
    for read in (task(name).read_io, task(name).read_cot):
        [found] = read(State(x), reply)
        assert not found.ok or task(name).verify(Problem("p", x, gold), found.value.answer).correct, reply
