"""A worker of Dynamo without an engine.

    worker.py MODEL_FOLDER MODULE --model NAME ...

The package's own are: the runtime with its discovery, request plane and system port, the registration of the model, and the
shutdown, installed as MODULE's own main does it. Ours is what would be the engine: it counts tokens, one each pause, and lets
requests run as long as the runtime does. What the handlers of the real engines do to running requests is not shown by it.

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

# 3 special tokens and 256 bytes come first.
BASE = 3 + 256

configure_dynamo_logging()
log = logging.getLogger(__name__)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("module")
    parser.add_argument("--model", required=True)
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


async def main() -> None:
    options = arguments()
    backend = os.environ.get("DYN_DISCOVERY_BACKEND", "file")
    plane, events = os.environ.get("DYN_REQUEST_PLANE", "tcp"), os.environ.get("DYN_EVENT_PLANE", "zmq")
    runtime, loop = create_runtime(backend, plane, events)
    event, endpoints = asyncio.Event(), []
    deferred = install_shutdown(options.module, loop, runtime, endpoints, event)
    endpoint = runtime.endpoint(f"{os.environ.get('DYN_NAMESPACE', 'dynamo')}.backend.generate")
    endpoints.append(endpoint)

    async def generate(request, context):
        done = sum(1 for token in request["token_ids"] if token >= BASE)
        limit = request["stop_conditions"].get("max_tokens") or 16
        began = loop.time()
        for i in range(1, limit + 1):
            # Each token has an instant of its own, so that late ones do not delay the end.
            await asyncio.sleep(max(0, began + i * options.token_seconds - loop.time()))
            if context.is_stopped() or context.is_killed():
                return
            yield {"token_ids": [BASE + done + i], **({"finish_reason": "length"} if i == limit else {})}

    await register_model(
        ModelInput.Tokens,
        ModelType.Chat | ModelType.Completions,
        endpoint,
        options.folder,
        options.model,
        worker_type=WorkerType.Aggregated,
    )
    try:
        await endpoint.serve_endpoint(generate, graceful_shutdown=True, metrics_labels=[("model", options.model)])
    finally:
        log.debug("Cleaning up worker")
        if deferred is not None:
            await deferred()


uvloop.run(main())
