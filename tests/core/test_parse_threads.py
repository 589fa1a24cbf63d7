"""Python 3.11's parser, entered by a second thread while the first one is in it, can raise SystemError."""

import subprocess
import sys
from textwrap import dedent

PARSING = """
    import gc, sys, threading, time
    from tot import parse

    gc.set_threshold(1)  # the parser makes objects: with each, another thread may get its turn
    gc.callbacks.append(lambda *_: time.sleep(0))
    sys.setswitchinterval(1e-6)
    faults = []

    def many():
        for _ in range(300):
            try:
                parse.arithmetic("((1 + 2) * (3 + 4) - (5 * 6)) / ((7 + 8) * (9 - 2))")
            except BaseException as error:
                faults.append(repr(error))

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(faults)
"""


def test_threads_take_turns_at_the_parser():
    done = subprocess.run([sys.executable, "-c", dedent(PARSING)], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
