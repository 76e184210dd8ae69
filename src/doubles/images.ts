import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Program, ProgramRegistry } from '../embedded/programs.ts';

const programSchema = z.strictObject({ file: z.string().min(1), args: z.array(z.string()).default([]) });
const imageSchema = z.strictObject({
  /** What runs where a container names no command. */
  entrypoint: programSchema.optional(),
  /** What each command of the image is, by the first word of a container's command, a hook or an exec. */
  commands: z.record(z.string(), programSchema).default({}),
});
const mapSchema = z.record(z.string(), imageSchema);

/** Images (with `*` for any part of the name) and what stands for their commands on this host. */
export type ImageMap = Record<string, { entrypoint?: Program | undefined; commands?: Record<string, Program> }>;

/** A file of images that cannot be used. */
export class ImageMapError extends Error {
  readonly code = 'QUIESCE_IMAGE_MAP';
  constructor(path: string, problem: string, options?: ErrorOptions) {
    const example = '{"example/engine:*":{"commands":{"vllm":{"file":"/opt/vllm/bin/vllm","args":[]}}}}';
    super(`image map ${path}: ${problem}; expected JSON such as ${example}`, options);
    this.name = 'ImageMapError';
  }
}

/** Reads an image map from a JSON file. @throws ImageMapError where it is unreadable or says something else */
export function readImageMap(path: string): ImageMap {
  try {
    return mapSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new ImageMapError(path, problem, { cause: error });
  }
}

/** Commands that an image with a shell has and `kubectl exec` is used for; the host's own stand for them. */
const hostCommands = ['sh', 'cat', 'echo', 'env', 'ls', 'sleep', 'true', 'false', 'date', 'ps', 'kill'];

/** The images that have a double, each command being a bundle of `distFolder`/programs, started by this very Node. */
export function doubleImages(distFolder: string): ImageMap {
  const double = (name: string): Program => ({
    file: process.execPath,
    args: [join(distFolder, 'programs', `${name}.mjs`)],
  });
  const shell = Object.fromEntries(
    hostCommands.flatMap((name) => {
      const file = [`/bin/${name}`, `/usr/bin/${name}`].find((path) => existsSync(path));
      return file ? [[name, { file, args: [] }]] : [];
    }),
  );
  return {
    // `llama-server` is an engine that the operator has no gauge list of; what it serves does not matter.
    // `drain-hook` is what stands for the `python3 -c SCRIPT` of the operator's hook, `member-read` for its exec's.
    // `python3` is there for SGLang's server alone.
    'gpustack/runner:*': {
      commands: {
        ...shell,
        vllm: double('vllm'),
        'llama-server': double('vllm'),
        python3: double('sglang'),
        'drain-hook': double('drain-hook'),
        'member-read': double('member-read'),
      },
    },
    // An engine without Python: neither the hook nor the operator's read finds its program.
    'quiesce/vllm-bare:*': { commands: { ...shell, vllm: double('vllm') } },
    'gpustack/mirrored-llm-d-router-disagg-sidecar:*': { entrypoint: double('routing-proxy') },
    'gpustack/llm-router:*': {
      commands: {
        ...shell,
        'vllm-router': double('vllm-router'),
        'sgl-model-gateway': double('sglang-gateway'),
        epp: double('epp'),
      },
    },
    'gpustack/mirrored-envoy:*': { entrypoint: double('envoy'), commands: { envoy: double('envoy') } },
    'gpustack/gpustack-operator:*': {
      entrypoint: double('gpustack-operator'),
      commands: { ...shell, 'gpustack-operator': double('gpustack-operator'), 'kill-at': double('kill-at') },
    },
    'nvcr.io/nvidia/ai-dynamo/dynamo-frontend:*': {
      commands: { ...shell, kill: double('kill'), python3: double('dynamo-frontend') },
    },
    'nvcr.io/nvidia/ai-dynamo/kubernetes-operator:*': { entrypoint: double('dynamo-operator'), commands: shell },
    // vllm-runtime, sglang-runtime, tensorrtllm-runtime.
    'nvcr.io/nvidia/ai-dynamo/*-runtime:*': {
      commands: { ...shell, kill: double('kill'), pkill: double('pkill'), python3: double('dynamo-worker') },
    },
    'quiesce/pause:*': { entrypoint: double('pause'), commands: { ...shell, pause: double('pause') } },
    'registry.k8s.io/pause:*': { entrypoint: double('pause'), commands: { pause: double('pause') } },
  };
}

/** The doubles' images as programs. Each command is looked up in `more` first, so that a real program takes a double's place. */
export function imageRegistry(distFolder: string, more: ImageMap = {}): ProgramRegistry {
  const entries = [...Object.entries(more), ...Object.entries(doubleImages(distFolder))];
  const all = (image: string) => entries.filter(([pattern]) => matches(pattern, image)).map(([, found]) => found);
  const commandOf = (commands: Record<string, Program>, word: string) =>
    [word, basename(word)].flatMap((name) => (Object.hasOwn(commands, name) ? [commands[name]] : []))[0];
  return {
    known: (image) => all(image).length > 0,
    resolve: (image, command) => {
      const found = all(image).map(({ entrypoint, commands = {} }) =>
        command === undefined ? entrypoint : commandOf(commands, command),
      );
      return found.find((program) => program !== undefined);
    },
  };
}

/** Whether an image is one of those that a pattern speaks of. */
export function matches(pattern: string, image: string): boolean {
  const parts = normal(pattern)
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(normal(image));
}

/** Docker Hub may be named or not, and a tag may be left out. */
function normal(image: string): string {
  const short = image.replace(/^(docker\.io|index\.docker\.io)\/(library\/)?/, '').replace(/@sha256:[0-9a-f]+$/, '');
  return /:[^/]*$/.test(short) ? short : `${short}:latest`;
}
