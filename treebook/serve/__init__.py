"""``tot serve`` for people: the command (``command``), a method as a model (``searches``), and the pytest fixture
``tot_cassette`` (``fixture``). The server and its recordings are in ``tot.serve``.
"""
