import { isStatus } from '../../../cluster/errors.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../objects.ts';
import type { Pod } from '../objects.ts';
import { collections, pathOf } from '../paths.ts';

/** Marks a victim, then deletes it with its own grace: the order that was measured on a real scheduler (1 ms apart). */
export async function evict({ client }: Context, victim: Pod): Promise<void> {
  const path = pathOf(collections.pods, victim);
  const { uid } = victim.metadata;
  try {
    await client.patch(
      `${path}/status`,
      {
        metadata: { uid },
        status: {
          conditions: [
            {
              type: 'DisruptionTarget',
              status: 'True',
              reason: 'PreemptionByScheduler',
              message: 'default-scheduler: preempting to accommodate a higher priority pod',
              lastTransitionTime: timestamp(),
            },
          ],
        },
      },
      'strategic',
    );
    await client.remove(path, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } });
  } catch (error) {
    if (!isStatus(error, 404)) throw error; // gone by itself: just as well
  }
}

/** Writes the condition that says why a Pod is not scheduled, and the Node on which room is being made for it. */
export async function tellUnschedulable(
  { client, informers }: Context,
  pod: Pod,
  message: string,
  nominatedNodeName: string | undefined,
): Promise<void> {
  const answer = await client.patch<Pod>(
    `${pathOf(collections.pods, pod)}/status`,
    {
      metadata: { uid: pod.metadata.uid },
      status: {
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message,
            observedGeneration: pod.metadata.generation,
            lastTransitionTime: timestamp(),
          },
        ],
        ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
      },
    },
    'strategic',
  );
  informers.of<Pod>(collections.pods).learn(answer);
}
