import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { isStatus } from '../../cluster/errors.ts';
import { asGeneration } from './generation.ts';
import { customResourceDefinitions } from './manifests.ts';
import { DEFINITIONS } from './names.ts';
import type { Generation } from '../../requirements/profiles.ts';

/**
 * Creates the CRDs that are not there yet and waits until each is served; one that is there is left as it is.
 * @param generation as which the ModelDeployment is served
 * @throws Error where one is not established within `timeoutMs` milliseconds of the wall
 */
export async function installDefinitions(
  client: KubeClient,
  timeoutMs = 10_000,
  generation: Generation = 'B',
): Promise<void> {
  const definitions = customResourceDefinitions().map((definition) => asGeneration(definition, generation));
  await createDefinitions(client, definitions, timeoutMs);
}

/**
 * Creates those of these CRDs that are not there yet, and waits until each is served.
 * @throws Error where one is not established within `timeoutMs` milliseconds of the wall
 */
export async function createDefinitions(
  client: KubeClient,
  definitions: readonly KubeObject[],
  timeoutMs = 10_000,
): Promise<void> {
  await Promise.all(definitions.map((definition) => createOnce(client, definition)));
  const deadline = Date.now() + timeoutMs;
  for (const { metadata } of definitions) {
    while (!established(await client.get(`${DEFINITIONS}/${metadata.name}`))) {
      if (Date.now() > deadline) throw new Error(`CRD ${metadata.name} is not established after ${timeoutMs} ms`);
    }
  }
}

async function createOnce(client: KubeClient, definition: KubeObject): Promise<void> {
  try {
    await client.create(DEFINITIONS, definition);
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
  }
}

function established(definition: KubeObject): boolean {
  // A real API server writes `conditions: null` until its controller has looked at the definition.
  const { conditions } = (definition['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
  return (conditions ?? []).some((c) => c.type === 'Established' && c.status === 'True');
}
