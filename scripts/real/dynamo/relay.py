"""Makes a frontend one that has not heard: it relays what the frontend asks of the API server, and from the moment in which
the frontend knows INSTANCES workers and their model, it passes on nothing that the API server says.

    relay.py POD_IP INSTANCES KUBECONFIG FD

KUBECONFIG is written: that of the environment, with the relay in the place of the API server. A dot on FD says that it listens.
"""

import asyncio
import json
import os
import re
import sys
import urllib.request

LOOK_SECONDS = 0.1


async def main(pod_ip: str, instances: int, config: str, told: int) -> None:
    with open(os.environ["KUBECONFIG"]) as file:
        text = file.read()
    found = re.search(r"http://([0-9.]+):(\d+)", text)
    if found is None:
        sys.exit("relay.py: the kubeconfig names no server at http://IP:PORT")
    heard = asyncio.Event()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silenced: bool) -> None:
        while part := await reader.read(65536):
            if not (silenced and heard.is_set()):
                writer.write(part)
                await writer.drain()
        if not (silenced and heard.is_set()):
            writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(found[1], int(found[2]))
        await asyncio.gather(
            carry(reader, server_writer, False), carry(server_reader, writer, True), return_exceptions=True
        )

    server = await asyncio.start_server(relay, pod_ip, 0)
    port = server.sockets[0].getsockname()[1]
    with open(config, "w") as file:
        file.write(text.replace(found[0], f"http://{pod_ip}:{port}"))
    os.write(told, b".")
    os.close(told)
    while not await asyncio.to_thread(knows, f"http://{pod_ip}:{os.environ.get('DYN_HTTP_PORT', '8000')}", instances):
        await asyncio.sleep(LOOK_SECONDS)
    heard.set()
    await server.serve_forever()


def knows(frontend: str, instances: int) -> bool:
    try:
        health, models = (json.load(urllib.request.urlopen(f"{frontend}{path}", timeout=2)) for path in ("/health", "/v1/models"))
    except (OSError, ValueError):
        return False
    return len(health.get("instances") or []) >= instances and len(models.get("data") or []) > 0


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
