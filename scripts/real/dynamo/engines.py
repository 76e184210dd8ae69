"""What stands for the engines of vLLM and TensorRT-LLM, as far as the package watches one, ends it and cleans up after it.

Such an engine is a process that does nothing until it is killed, and a shutdown that can be told to hang or to raise an error
(QUIESCE_ENGINE_SHUTDOWN). The engines' own modules are made here with the names that the package imports, and no more. All that
asks for its health, gives it up, logs and exits is the package's: dynamo.vllm.engine_monitor, dynamo.trtllm.engine and
dynamo.trtllm.engine_monitor. No executor records an error here, since the package would then clean nothing up.
"""

import contextlib
import os
import subprocess
import sys
import time
import types

TROUBLE = os.environ.get("QUIESCE_ENGINE_SHUTDOWN")


class Process:
    """The engine's process, under the name by which it is found."""

    def __init__(self, name: str) -> None:
        self.process = subprocess.Popen([name, "86400"], executable="/bin/sleep")

    def lives(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        if TROUBLE == "raises":
            raise RuntimeError("the executor does not answer")
        while TROUBLE == "hangs":
            time.sleep(1)
        self.process.kill()
        self.process.wait()


def stand_in(names: dict[str, dict[str, type]]) -> None:
    """Puts modules of these names, with these contents, in the place of what is not installed."""
    for name, contents in names.items():
        module = types.ModuleType(name)
        module.__path__ = []
        vars(module).update(contents)
        sys.modules[name] = module


@contextlib.asynccontextmanager
async def vllm(runtime, event):
    """Watched by the package's monitor, with what dynamo.vllm gives it. Its handlers end it, and they cannot be had here."""

    class EngineDeadError(Exception):
        pass

    class AsyncLLM:
        log_stats = False

        def __init__(self) -> None:
            self.core = Process("VLLM::EngineCore")

        async def check_health(self) -> None:
            if not self.core.lives():
                raise EngineDeadError("the process of the engine has ended")

        def shutdown(self) -> None:
            self.core.end()

    parents = {name: {} for name in ("vllm", "vllm.v1", "vllm.v1.engine")}
    engine = {"vllm.v1.engine.async_llm": {"AsyncLLM": AsyncLLM}}
    stand_in({**parents, **engine, "vllm.v1.engine.exceptions": {"EngineDeadError": EngineDeadError}})
    from dynamo.vllm.engine_monitor import VllmEngineMonitor

    client = AsyncLLM()
    monitor = VllmEngineMonitor(runtime, client, event)
    try:
        yield monitor
    finally:
        client.shutdown()


@contextlib.asynccontextmanager
async def trtllm(runtime, event):
    """Made, watched and cleaned up as dynamo.trtllm's worker does it."""

    class LLM:
        def __init__(self, **_) -> None:
            self.executor = Process("trtllm::executor")

        def _check_health(self) -> bool:
            return self.executor.lives()

        def shutdown(self) -> None:
            self.executor.end()

    stand_in(
        {
            "tensorrt_llm": {"LLM": LLM, "MultimodalEncoder": type("MultimodalEncoder", (), {})},
            "tensorrt_llm.llmapi": {},
            "tensorrt_llm.llmapi.llm": {"BaseLLM": LLM},
        }
    )
    from dynamo.trtllm.engine import get_llm_engine

    async with get_llm_engine({}) as engine:
        engine.start_health_monitor(runtime=runtime, shutdown_event=event)
        yield engine


@contextlib.asynccontextmanager
async def none(*_):
    yield None


ENGINES = {"dynamo.vllm": vllm, "dynamo.trtllm": trtllm}
