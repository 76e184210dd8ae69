export function sourceStamp(): string;
export function isBuilt(): boolean;
export function bundle(): Promise<void>;
