import jsonpatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { SCHEMA_PATCH_ANNOTATION } from '../../environment.ts';
import { ApiError } from '../errors.ts';
import { remembered } from '../memo.ts';
import { clone, fieldsOf } from '../objects.ts';
import type { CustomVersion, ResourceRegistry } from '../resources.ts';
import type { Store } from '../store.ts';
import { resourcesOf } from './definition.ts';
import type { Schema } from './schema.ts';

const CRD_STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';

/** Keeps the served kinds in step with the stored CustomResourceDefinitions, and knows each namespace's schema. */
export class CrdRegistry {
  readonly #store: Store;
  /** Patched schemas, by version of a CRD and text of the annotation. */
  readonly #patched = new WeakMap<CustomVersion, Map<string, Schema>>();

  constructor(store: Store, resources: ResourceRegistry) {
    this.#store = store;
    store.subscribe(CRD_STORAGE, ({ type, object }) => {
      resources.replace(object.metadata.name, type === 'DELETED' ? [] : resourcesOf(object));
      if (type === 'DELETED') this.#removeAll(object.metadata.name);
    });
  }

  /**
   * The schema that holds for objects of a kind in a namespace.
   * @throws ApiError 500 where the namespace's annotation is no JSON patch that fits the schema
   */
  schemaFor(custom: CustomVersion, namespace: string): Schema {
    const text = this.#store.get('namespaces', '', namespace)?.metadata.annotations?.[SCHEMA_PATCH_ANNOTATION];
    if (!text) return custom.schema;
    const byText = remembered(this.#patched, custom, () => new Map<string, Schema>());
    return remembered(byText, text, () => patched(custom, text));
  }

  #removeAll(storage: string): void {
    for (const { metadata } of this.#store.list(storage)) {
      this.#store.remove(storage, metadata.namespace ?? '', metadata.name);
    }
  }
}

function patched(custom: CustomVersion, text: string): Schema {
  try {
    const operations = fieldsOf(JSON.parse(text))[custom.crd] as Operation[] | undefined;
    return operations ? jsonpatch.applyPatch(clone(custom.schema), operations, true).newDocument : custom.schema;
  } catch (error) {
    const why = (error as Error).message.split('\n')[0];
    throw new ApiError(
      500,
      'InternalError',
      `annotation ${SCHEMA_PATCH_ANNOTATION} does not fit ${custom.crd}: ${why}`,
    );
  }
}
