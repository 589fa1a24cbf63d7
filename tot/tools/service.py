"""What answers the role "tool": Search and Lookup on a corpus, with time-outs and with failures on purpose."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait

from ..lm.base import LM, LMError, OnReply, Reply, Request, Sample, Usage
from ..parse import TYPED, shorten
from .actions import SEARCH, Call
from .corpus import Corpus, ToolError
from .costs import Failures

PASSAGE = 3  # sentences of a page that Search shows; ReAct's environment shows 5, but its pages are longer
MAX_ANSWER = 4000  # characters

Answer = tuple[str, str]  # the text, and "stop" or why the call failed: "not found", "timeout", "error"


def search(corpus: Corpus, entity: str) -> Answer:
    """Search[entity]: the first ``PASSAGE`` sentences of its page; or similar titles, and then the call has failed.

    The rules are those of ReAct (Yao et al. 2022, section 3.1); that "could not find" is a failure, the iToT poster's.
    """
    page = corpus.page(entity)
    if page:
        return " ".join(page.sentences[:PASSAGE]) or "The page is empty.", "stop"
    similar = corpus.similar(entity)
    return f"Could not find {entity}." + (f" Similar: {'; '.join(similar)}." if similar else ""), "not found"


def article(corpus: Corpus, words: str, rank: int) -> Answer:
    """The whole article that goes best with ``words`` if ``rank`` is 1, the next best if 2, with its title.

    The call has failed if the corpus finds fewer articles; it never gives more than ``tot.tools.corpus.SIMILAR``.
    """
    titles = corpus.similar(words)
    page = corpus.page(titles[rank - 1]) if 1 <= rank <= len(titles) else None
    if page is None:
        return f"There is no article {rank} for these words.", "not found"
    return f"{page.title}: {' '.join(page.sentences)}", "stop"


def lookup(corpus: Corpus, page: str, string: str, times: int) -> Answer:
    """Lookup[string]: the next sentence of the page that contains it: the first if ``times`` is 0, the second if 1.

    ReAct's environment keeps its place in a variable; this is a pure function, so that branches do not disturb each
    other. The call has failed if nothing is found, or nothing more.
    """
    found = corpus.page(page) if page else None
    if found is None:
        return "There is no page to look at: use Search first.", "not found"
    word = string.translate(TYPED).casefold()
    hits = [sentence for sentence in found.sentences if word in sentence.translate(TYPED).casefold()]
    if times < len(hits):
        return f"(Result {times + 1} of {len(hits)}) {hits[times]}", "stop"
    return ("No more results." if hits else f"Could not find {string} on the page {found.title}."), "not found"


class Tools(LM):
    """Answers the role "tool", that is, requests made by ``Call``. Keeps nothing between calls; safe in threads.

    ``corpora(name)`` gives the corpus of that name, or raises ValueError. A call that takes longer than ``timeout``
    seconds has failed; its thread is abandoned. At most ``at_once`` calls run at a time, and waiting for a turn does
    not count as time. A reply's finish says how the call went: "stop", or why it failed. Replies hold no costs: V_T is
    a setting of the method.

    Raises LMError for a corpus that does not exist, and for a request that is no tool call.
    """

    name, unpriced = "tools", False

    def __init__(self, corpora: Callable[[str], Corpus], *, timeout: float = 30.0, at_once: int = 4) -> None:
        self.corpora = corpora
        self.timeout = timeout
        self._turns = threading.Semaphore(at_once)

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies = []
        for request in requests:
            call = Call.read(request)
            tries = [self._try(call, attempt) for attempt in request.indices]
            bill = Usage(1, request.n)
            replies.append(Reply(tuple(Sample(shorten(text, MAX_ANSWER), how) for text, how in tries), bill, bill))
            if on_reply:
                on_reply(request, replies[-1])
        return replies

    def _try(self, call: Call, attempt: int) -> Answer:
        entity = call.argument if call.tool == SEARCH else f"{call.page} / {call.argument}"
        entity += f" / article {call.rank}" if call.rank else ""
        if call.failures and Failures.parse(call.failures).strikes(call.tool, entity, attempt):
            return f"{call.tool} failed: the tool is out of order.", "error"
        done: Future[Answer] = Future()

        def work() -> None:
            try:
                done.set_result(self._answer(call))
            except BaseException as error:
                done.set_exception(error)

        with self._turns:
            threading.Thread(target=work, name="tot-tool", daemon=True).start()
            in_time = wait([done], self.timeout).done
        if not in_time:
            return f"{call.tool} failed: no answer in {self.timeout:g} seconds.", "timeout"
        try:
            return done.result()
        except ToolError as error:
            return f"{call.tool} failed: {error}", "error"

    def _answer(self, call: Call) -> Answer:
        try:
            corpus = self.corpora(call.corpus)
        except ValueError as error:
            raise LMError(str(error)) from error
        if call.tool == SEARCH:
            return article(corpus, call.argument, call.rank) if call.rank else search(corpus, call.argument)
        return lookup(corpus, call.page, call.argument, call.times)
