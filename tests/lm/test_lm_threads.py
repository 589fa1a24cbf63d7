"""The threads behind a language model: all jobs run, never too many at once, none stays."""

import threading
import time
from functools import partial
from queue import SimpleQueue

from tot.lm.threads import LINGER, Threads


def submit_and_wait(threads, count, job=lambda: None):
    done = SimpleQueue()

    def do(i):
        job()
        done.put((i, threading.get_ident()))

    threads.submit([partial(do, i) for i in range(count)])
    return [done.get(timeout=60) for _ in range(count)]


def test_every_job_runs_once_in_order_and_never_more_at_once_than_allowed():
    lock, now, peak = threading.Lock(), 0, 0

    def job():
        nonlocal now, peak
        with lock:
            now += 1
            peak = max(peak, now)
        time.sleep(0.001)
        with lock:
            now -= 1

    assert sorted(i for i, _ in submit_and_wait(Threads(4), 200, job)) == list(range(200))
    assert 1 <= peak <= 4
    assert [i for i, _ in submit_and_wait(Threads(1), 50)] == list(range(50))


def test_jobs_submitted_from_many_threads_and_from_jobs_all_run():
    threads, done = Threads(3), SimpleQueue()
    again = partial(threads.submit, [partial(done.put, 1)])
    callers = [threading.Thread(target=threads.submit, args=([again] * 5,)) for _ in range(20)]
    for caller in callers:
        caller.start()
    assert sum(done.get(timeout=60) for _ in range(100)) == 100


def test_a_round_uses_the_threads_of_the_round_before():
    threads = Threads(8)
    first = {ident for _, ident in submit_and_wait(threads, 8, partial(time.sleep, 0.05))}
    second = {ident for _, ident in submit_and_wait(threads, 8, partial(time.sleep, 0.05))}
    assert first & second and threads._running <= 8


def test_idle_threads_end_and_later_jobs_run_all_the_same():
    threads = Threads(5)
    for _ in range(2):
        submit_and_wait(threads, 20)
        deadline = time.monotonic() + 60 * LINGER
        while threads._running and time.monotonic() < deadline:
            time.sleep(0.01)
        assert threads._running == 0
