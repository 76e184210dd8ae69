/** Errors as frames of a stream and as bodies. Source: what a real frontend 1.6.1 sent. */
const frame = (message: string, type: string, code: number) => ({ error: { message, type, code } });

export const streamErrors = {
  unavailable: frame('Service temporarily unavailable', 'service_unavailable', 503),
  cancelled: frame('Request cancelled', 'request_cancelled', 499),
} as const;

const body = (message: string) => ({ message, type: 'Service Unavailable', code: 503 });

export const bodies = {
  draining: body('Service is not ready'),
  unavailable: body('Service temporarily unavailable'),
  noModel: { message: 'Model not found', type: 'Not Found', code: 404 },
  noWorker: (model: string) => body(`Model \`${model}\` is not ready to serve requests yet.`),
} as const;
