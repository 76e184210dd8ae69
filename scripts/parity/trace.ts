import { isDeepStrictEqual } from 'node:util';
import type { KubeClient, KubeObject } from '../../src/cluster/rest.ts';
import { Watch } from '../../src/cluster/watch.ts';
import { project } from './project.ts';

/** A path of an object as the path of its collection with a field selector: what can be watched by name. */
export function watchable(path: string): string {
  const [bare = '', query = ''] = path.split('?');
  const parts = bare.split('/');
  // /api/v1/namespaces/NS/pods[/NAME], /apis/G/V/namespaces/NS/things[/NAME], the same without a namespace.
  const start = parts[1] === 'api' ? 3 : 4;
  const resourceAt = parts[start] === 'namespaces' && parts.length > start + 2 ? start + 2 : start;
  const name = parts[resourceAt + 1];
  const collection = parts.slice(0, resourceAt + 1).join('/');
  if (name === undefined) return path;
  return `${collection}?fieldSelector=metadata.name%3D${name}${query ? `&${query}` : ''}`;
}

/** Every different state of an object or a collection, as far as `keep` shows it. */
export class Trace {
  readonly states: unknown[] = [];
  readonly #watch: Watch;

  constructor(client: KubeClient, path: string, keep: readonly string[]) {
    this.#watch = new Watch(client, watchable(path), {
      event: (type, object: KubeObject) => {
        const state = type === 'DELETED' ? 'DELETED' : project(object, keep);
        if (!isDeepStrictEqual(state, this.states.at(-1))) this.states.push(state);
      },
    });
  }

  get ready(): Promise<void> {
    return this.#watch.ready;
  }

  stop(): void {
    this.#watch.stop();
  }
}
