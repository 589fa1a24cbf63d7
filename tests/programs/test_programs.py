"""Programs that nobody here wrote, with nothing changed but their base URL: `make test-doors`."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import openai
import pytest
from pydantic import BaseModel

KEY = "client-key"


class City(BaseModel):
    """A city."""

    name: str
    people: int


PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
TOOL = {"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": PARAMETERS}}
PARIS, PAIR = City(name="Paris", people=2), {"a": 2, "b": 3}


def asked(text):
    return {"model": "fake", "messages": [{"role": "user", "content": text}]}


def plain(url):
    with openai.OpenAI(base_url=url, api_key=KEY) as client:
        ask = client.chat.completions
        texts = [ask.create(**asked("hello")).choices[0].message.content for _ in range(2)]
        texts += [choice.message.content for choice in ask.create(n=2, **asked("hello")).choices]
        city = ask.parse(response_format=City, **asked("a city")).choices[0].message.parsed
        [call] = ask.create(tools=[TOOL], **asked("2 + 3")).choices[0].message.tool_calls
        return texts, city, json.loads(call.function.arguments), [model.id for model in client.models.list()][:1]


def awaited(url):
    async def ask():
        async with openai.AsyncOpenAI(base_url=url, api_key=KEY) as client:
            text, parsed, called = await asyncio.gather(
                client.chat.completions.create(**asked("hello")),
                client.chat.completions.parse(response_format=City, **asked("a city")),
                client.chat.completions.create(tools=[TOOL], **asked("2 + 3")),
            )
            [call] = called.choices[0].message.tool_calls
            return [text.usage.total_tokens > 0], parsed.choices[0].message.parsed, json.loads(call.function.arguments)

    return asyncio.run(ask())


def streamed(url):
    with openai.OpenAI(base_url=url, api_key=KEY) as client:
        ask = client.chat.completions
        chunks = [*ask.create(stream=True, stream_options={"include_usage": True}, **asked("hello"))]
        assert chunks[-1].usage.total_tokens > 0
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        with ask.stream(response_format=City, **asked("a city")) as stream:
            city = stream.get_final_completion().choices[0].message.parsed
        with ask.stream(tools=[TOOL], **asked("2 + 3")) as stream:
            [call] = stream.get_final_completion().choices[0].message.tool_calls
        return [text], city, json.loads(call.function.arguments)


def langchain(url):
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(model="fake", base_url=url, api_key=KEY)
    texts = [chat.invoke("hello").content, "".join(chunk.text for chunk in chat.stream("hello"))]
    city = chat.with_structured_output(City).invoke("a city")
    [call] = chat.bind_tools([TOOL]).invoke("2 + 3").tool_calls
    return texts, city, call["args"]


def pydantic_ai(url):
    from pydantic_ai import Agent, NativeOutput
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("fake", provider=OpenAIProvider(base_url=url, api_key=KEY))
    cities = {Agent(model, output_type=form).run_sync("a city").output for form in (City, NativeOutput(City))}
    adding, pairs = Agent(model), []

    @adding.tool_plain
    def add(a: int, b: int) -> int:
        pairs.append({"a": a, "b": b})
        return a + b

    async def stream():
        async with Agent(model).run_stream("hello") as result:
            return await result.get_output()

    texts = [Agent(model).run_sync("hello").output, asyncio.run(stream()), adding.run_sync("2 + 3").output]
    [city], [pair] = cities, pairs
    return texts, city, pair


City.__hash__ = lambda self: hash(self.name)


def llm(url, folder):
    (folder / "extra-openai-models.yaml").write_text(
        f"- {{model_id: tot, model_name: fake, api_base: {url}, supports_schema: true, supports_tools: true}}\n"
    )

    def run(*words):
        environment = {**os.environ, "LLM_USER_PATH": str(folder), "OPENAI_API_KEY": KEY}
        command = [str(Path(sys.executable).parent / "llm"), "-m", "tot", "-n", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    adding = "def add(a: int, b: int) -> int:\n    return a + b"
    texts = [run("hello"), run("--no-stream", "hello"), run("--functions", adding, "2 + 3")]
    assert texts[2].startswith("it is 5")
    return texts, City.model_validate_json(run("--schema", "name, people int", "a city")), PAIR


@pytest.mark.parametrize("program", [plain, awaited, streamed, langchain, pydantic_ai])
def test_a_program_is_recorded_killed_and_replayed(both, program):
    texts, city, pair, *_ = both(program)
    assert len(set(texts)) == len(texts) and (city, pair) == (PARIS, PAIR)


def test_llm_on_the_command_line(both, tmp_path):
    texts, city, _ = both(lambda url: llm(url, tmp_path))
    assert len(set(texts)) == 3 and city == PARIS


def test_32_clients_at_once_get_each_sample_once(both, model):
    model.slow = 0.05

    async def ask(url):
        async with openai.AsyncOpenAI(base_url=url, api_key=KEY) as client:
            whole = await asyncio.gather(*(client.chat.completions.create(**asked("hello")) for _ in range(32)))
            return sorted(each.choices[0].message.content for each in whole)

    assert len(set(both(lambda url: asyncio.run(ask(url))))) == 32


def test_the_silent_retry_of_a_client_that_lost_patience_gets_its_own_sample(both, model):
    model.slow = 1.0

    def program(url):
        with openai.OpenAI(base_url=url, api_key=KEY, timeout=0.4, max_retries=5) as client:
            return [client.chat.completions.create(**asked("hello")).choices[0].message.content for _ in range(2)]

    assert both(program) == ["saying number 1", "saying number 2"]


def test_a_miss_is_an_error_that_says_what_to_do(start, behind):
    url, kill = start(record=True)
    plain(url)
    asked_before = len(behind.requests)
    kill()
    url, _ = start(record=False)
    with openai.OpenAI(base_url=url, api_key=KEY) as client, pytest.raises(openai.APIStatusError) as caught:
        client.chat.completions.create(**asked("hallo"))
    assert "hallo" in str(caught.value) and "hello" in str(caught.value) and "--lm" in str(caught.value)
    assert len(behind.requests) == asked_before
