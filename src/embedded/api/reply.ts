import type { ServerResponse } from 'node:http';
import { ApiError } from './errors.ts';

/** Sends a text that is JSON already. */
export function sendText(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export const sendJson = (response: ServerResponse, status: number, value: unknown, type?: string) =>
  sendText(response, status, JSON.stringify(value), type);

/** Answers any error as a Status; one that is no refusal of ours is a 500 with its message. */
export function sendError(response: ServerResponse, error: unknown): void {
  const refusal =
    error instanceof ApiError
      ? error
      : new ApiError(
          500,
          'InternalError',
          `Internal error occurred: ${error instanceof Error ? error.message : 'unknown'}`,
        );
  if (response.headersSent) response.destroy();
  else sendJson(response, refusal.status, refusal.body);
}
