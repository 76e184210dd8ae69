"""Starts a part of real Dynamo where a container of the process kubelet would run `python3 -m MODULE ...`.

    entry.py MODEL_FOLDER -m MODULE ...

A Pod of the process kubelet has no network of its own: every address that the program would listen on is set to the Pod's
own, by the program's own variables. The program then takes this process over, so that signals and the exit code are its own.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# What would be a GPU engine is a program of ours on the real runtime.
WORKERS = ("dynamo.vllm", "dynamo.sglang", "dynamo.trtllm")

# Variables of Dynamo 1.6.1 that name an address to listen on, or to be called at.
ADDRESSES = (
    "DYN_HTTP_HOST",
    "DYN_SYSTEM_HOST",
    "DYN_TCP_RPC_HOST",
    "DYN_TCP_RESPONSE_STREAM_HOST",
    "DYN_EVENT_PLANE_HOST",
)

# Nothing is to be asked of a model hub.
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def main() -> None:
    model, flag, module, *rest = sys.argv[1:]
    if flag != "-m":
        sys.exit(f"entry.py: expected -m MODULE after the model folder, got {flag} {module}")
    pod_ip = os.environ["QUIESCE_POD_IP"]
    for name in ADDRESSES:
        os.environ.setdefault(name, pod_ip)
    for name in OFFLINE:
        os.environ[name] = "1"
    os.environ["PYTHONUNBUFFERED"] = "1"
    # Nor a file system of its own: its home, where a frontend keeps what it read of models, is gone with the container, and what
    # is kept in a volume goes where the kubelet has put that.
    os.environ["HOME"] = os.environ["QUIESCE_ROOT"]
    if "TMPDIR" in os.environ:
        os.environ["TMPDIR"] = os.path.join(os.environ["QUIESCE_ROOT"], os.environ["TMPDIR"].lstrip("/"))
    if "QUIESCE_FROZEN_AT" in os.environ:
        deafen(pod_ip, int(os.environ["QUIESCE_FROZEN_AT"]))
    own = ["-m", module] if module not in WORKERS else ["-B", os.path.join(HERE, "worker.py"), model, module]
    os.execv(sys.executable, [sys.executable, *own, *rest])


def deafen(pod_ip: str, instances: int) -> None:
    """Puts a relay between this process and the API server that falls silent once the frontend knows so many instances."""
    config, told = os.path.join(os.environ["QUIESCE_ROOT"], "relayed-kubeconfig"), os.pipe()
    if os.fork() == 0:
        os.set_inheritable(told[1], True)
        os.execv(
            sys.executable,
            [sys.executable, "-S", os.path.join(HERE, "relay.py"), pod_ip, str(instances), config, str(told[1])],
        )
    os.close(told[1])
    if os.read(told[0], 1) != b".":
        sys.exit("entry.py: the relay did not start")
    os.close(told[0])
    os.environ["KUBECONFIG"] = config


main()
