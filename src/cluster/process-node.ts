import { readFileSync } from 'node:fs';
import type { KubeObject } from './rest.ts';

/** Label of a Node that the process kubelet serves; its value is the kubelet's cluster id, or `any`. */
export const PROCESS_NODE_LABEL = 'quiesce.dev/process-kubelet';

/** Annotation of such a Node: documented seconds in one second of the wall, as its kubelet counts them. */
export const TIME_SCALE_ANNOTATION = 'quiesce.dev/time-scale';

/** Label of the first Node of an embedded cluster, whose API server and scheduler are ours too. */
export const EMBEDDED_LABEL = 'quiesce.dev/embedded';

/** What a survey needs to know of a Node. */
export interface NodeSummary {
  name: string;
  ready: boolean;
  /** A process kubelet of ours runs it: programs stand for images, faults are switched on by annotations. */
  process: boolean;
  /** The whole cluster is embedded: its API server and scheduler can be told to break a promise. */
  embedded: boolean;
  /** Documented seconds in one second of the wall; 1 where a real kubelet runs it. */
  timeScale: number;
  /** Allocatable `nvidia.com/gpu`. */
  accelerators: number;
  /** Its kernel's boot id is ours: it is this machine, with this clock. */
  thisMachine: boolean;
}

interface NodeFields {
  status?: {
    conditions?: { type: string; status: string }[];
    allocatable?: Record<string, string>;
    nodeInfo?: { bootID?: string };
  };
}

export function summaryOf(node: KubeObject): NodeSummary {
  const { status = {} } = node as unknown as NodeFields;
  const { name, labels, annotations } = node.metadata;
  const bootId = status.nodeInfo?.bootID;
  return {
    name,
    ready: status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false,
    process: labels?.[PROCESS_NODE_LABEL] !== undefined,
    embedded: labels?.[EMBEDDED_LABEL] !== undefined,
    timeScale: Number(annotations?.[TIME_SCALE_ANNOTATION] ?? 1),
    accelerators: Number(status.allocatable?.['nvidia.com/gpu'] ?? 0),
    thisMachine: Boolean(bootId) && bootId === ownBootId(),
  };
}

/** What tells this boot of this kernel from any other, as kubelets report it; empty where the system does not say. */
export function ownBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
