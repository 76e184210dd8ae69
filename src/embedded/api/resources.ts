import type { Column } from './table/columns.ts';
import type { Schema } from './crd/schema.ts';

/** What a version of a CustomResourceDefinition adds to its resource. */
export interface CustomVersion {
  /** Name of the CRD, such as `modeldeployments.worker.gpustack.ai`. */
  crd: string;
  schema: Schema;
  columns: Column[];
  selectable: string[];
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
}

/** One kind in one version, as the API serves it. */
export interface Resource {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  listKind: string;
  namespaced: boolean;
  shortNames: string[];
  categories: string[];
  /** Names of the served subresources, such as `status`. */
  subresources: readonly string[];
  verbs: readonly string[];
  /** Key of the store: versions of one kind share it. */
  storage: string;
  custom?: CustomVersion;
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

export const apiVersionOf = (r: Pick<Resource, 'group' | 'version'>) =>
  r.group ? `${r.group}/${r.version}` : r.version;

/** The kinds that are served: the built-in ones, and those of CRDs as they come and go. */
export class ResourceRegistry {
  /** By `group/version/plural`. */
  readonly #served = new Map<string, Resource>();
  #revision = 0;

  constructor(builtin: Iterable<Resource>) {
    for (const r of builtin) this.#served.set(key(r.group, r.version, r.plural), r);
  }

  /** Grows with every change, so that documents about the kinds can be cached. */
  get revision(): number {
    return this.#revision;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#served.get(key(group, version, plural));
  }

  /** The kind that an `apiVersion` and a `kind` name, such as those of an owner reference. */
  findKind(apiVersion: string, kind: string): Resource | undefined {
    for (const r of this.#served.values()) if (r.kind === kind && apiVersionOf(r) === apiVersion) return r;
    return undefined;
  }

  all(): Resource[] {
    return [...this.#served.values()];
  }

  inVersion(group: string, version: string): Resource[] {
    return this.all().filter((r) => r.group === group && r.version === version);
  }

  /** Versions of a group, in the order in which they were added. */
  versions(group: string): string[] {
    return [...new Set(this.all().flatMap((r) => (r.group === group ? [r.version] : [])))];
  }

  groups(): string[] {
    return [...new Set(this.all().map((r) => r.group))].filter(Boolean);
  }

  /** Replaces every version of one stored kind. */
  replace(storage: string, versions: Resource[]): void {
    for (const [id, r] of this.#served) if (r.storage === storage) this.#served.delete(id);
    for (const r of versions) this.#served.set(key(r.group, r.version, r.plural), r);
    this.#revision += 1;
  }
}

const key = (group: string, version: string, plural: string) => `${group}/${version}/${plural}`;
