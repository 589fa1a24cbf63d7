"""Language models: each answers a list of requests (see ``tot.ask.LM``). They know nothing of search."""
