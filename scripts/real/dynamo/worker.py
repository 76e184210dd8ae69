"""A worker of Dynamo without an engine.

    worker.py MODEL_FOLDER MODULE --model NAME ...

The package's own are: the runtime with its discovery, request plane and system port, the registration of the model, the
shutdown, installed as MODULE's own main does it, and what watches the engine (engines.py). Ours is what would be the engine: it
counts tokens, one each pause, and lets requests run as long as the runtime does. What the handlers of the real engines do to
running requests is not shown by it.

The model's vocabulary has a token ` tN` at BASE + N. A prompt that carries such tokens is a stream that was begun elsewhere:
it goes on after them.
"""

import argparse
import asyncio
import logging
import os

import uvloop

from dynamo.common.utils.runtime import create_runtime
from dynamo.llm import ModelInput, ModelType, WorkerType, register_model
from dynamo.runtime.logging import configure_dynamo_logging
from engines import ENGINES, none

# 3 special tokens and 256 bytes come first.
BASE = 3 + 256

configure_dynamo_logging()
log = logging.getLogger(__name__)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("module")
    parser.add_argument("--model", required=True)
    parser.add_argument("--disaggregation-mode", choices=["agg", "prefill", "decode"], default="agg")
    # Documented seconds from one token to the next; real time, since a real program has its own clock.
    parser.add_argument("--token-seconds", type=float, default=0.25)
    return parser.parse_args()


def install_shutdown(module, loop, runtime, endpoints, event):
    """What MODULE's main installs for SIGTERM and SIGINT; answers what it awaits once serving has ended."""
    if module == "dynamo.sglang":
        from dynamo.sglang.shutdown import install_graceful_shutdown

        return install_graceful_shutdown(loop, runtime, endpoints, event)
    from dynamo.common.utils.graceful_shutdown import install_signal_handlers

    install_signal_handlers(loop, runtime, endpoints, event)
    return None


class Tokens:
    """What stands for the engine: one token each pause, each at an instant of its own, so that a late one delays no other."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def count(self, limit: int, context=None):
        loop = asyncio.get_running_loop()
        began = loop.time()
        for i in range(1, limit + 1):
            await asyncio.sleep(max(0, began + i * self.seconds - loop.time()))
            if context is not None and (context.is_stopped() or context.is_killed()):
                return
            yield i

    async def generate(self, request, context):
        done = sum(1 for token in request["token_ids"] if token >= BASE)
        limit = request["stop_conditions"].get("max_tokens") or 16
        async for i in self.count(limit, context):
            yield {"token_ids": [BASE + done + i], **({"finish_reason": "length"} if i == limit else {})}

    async def prefill(self, request, context):
        """One token, after as long as the request asks in an annotation (`nvext`): the rest of a body does not get here."""
        said = [word.partition("=") for word in request.get("annotations") or []]
        await asyncio.sleep(sum(float(seconds) for name, _, seconds in said if name == "quiesce-prefill-seconds"))
        yield {"token_ids": [BASE], "finish_reason": "length", "disaggregated_params": {"first": BASE}}

    async def converse(self, events, context=None):
        """A realtime session: each response is as long as its client asks, in the words of OpenAI's API."""
        limit = None
        async for event in events:
            # 1.6.1 takes no response.create with parameters ("malformed JSON frame"): the session says how long.
            if event.get("type") == "session.update":
                limit = event["session"].get("max_output_tokens")
            if event.get("type") != "response.create":
                continue
            limit = limit if isinstance(limit, int) else 16
            where = {"response_id": "resp_1", "item_id": "item_1", "output_index": 0, "content_index": 0}
            async for i in self.count(limit, context):
                delta = {"type": "response.output_audio_transcript.delta", "event_id": f"event_{i}", "delta": f" t{i}"}
                yield {**delta, **where}
            answer = {"id": "resp_1", "object": "realtime.response", "status": "completed", "output": []}
            modalities = {"output_modalities": ["audio"], "max_output_tokens": limit}
            yield {"type": "response.done", "event_id": "event_done", "response": {**answer, **modalities}}


async def main() -> None:
    options = arguments()
    backend = os.environ.get("DYN_DISCOVERY_BACKEND", "file")
    plane, events = os.environ.get("DYN_REQUEST_PLANE", "tcp"), os.environ.get("DYN_EVENT_PLANE", "zmq")
    runtime, loop = create_runtime(backend, plane, events)
    event, endpoints = asyncio.Event(), []
    deferred = install_shutdown(options.module, loop, runtime, endpoints, event)
    namespace = os.environ.get("DYN_NAMESPACE", "dynamo")
    graceful = os.environ.get("QUIESCE_GRACEFUL_SHUTDOWN") != "False"
    tokens = Tokens(options.token_seconds)

    async def register(name, model_input, kind, role="Aggregated", needs=()):
        endpoint = runtime.endpoint(f"{namespace}.{'prefill' if role == 'Prefill' else 'backend'}.{name}")
        endpoints.append(endpoint)
        peers = {"worker_type": getattr(WorkerType, role), "needs": [[getattr(WorkerType, other)] for other in needs]}
        await register_model(model_input, kind, endpoint, options.folder, options.model, **peers)
        return endpoint

    async with ENGINES.get(options.module, none)(runtime, event):
        serving = []
        if os.environ.get("QUIESCE_REALTIME") == "True":
            sessions = await register("realtime", ModelInput.Text, ModelType.Realtime)
            serving.append(sessions.serve_bidirectional_endpoint(tokens.converse, graceful_shutdown=graceful))
        role, kind, needs, generate = {
            "agg": ("Aggregated", ModelType.Chat | ModelType.Completions, [], tokens.generate),
            "prefill": ("Prefill", ModelType.Prefill, ["Decode"], tokens.prefill),
            "decode": ("Decode", ModelType.Chat | ModelType.Completions, ["Prefill"], tokens.generate),
        }[options.disaggregation_mode]
        labels = [("model", options.model)]
        for name in os.environ.get("QUIESCE_ENDPOINTS", "generate").split(","):
            endpoint = await register(name, ModelInput.Tokens, kind, role, needs)
            serving.append(endpoint.serve_endpoint(generate, graceful_shutdown=graceful, metrics_labels=labels))
        try:
            await asyncio.gather(*serving)
        finally:
            log.debug("Cleaning up worker")
            if deferred is not None:
                await deferred()


uvloop.run(main())
