import { z } from 'zod';
import { baseUrl, choice, port, variable } from './variable.ts';

/** Variables for secrets, metrics and logs. */
export const operationVariables = {
  SECRET: variable(
    'at least 32 characters',
    'generated in DATA_DIR',
    'Master secret: signs tokens and URLs, and encrypts the binding keys of recorders. All API processes must share it.',
    z.string().min(32, 'at least 32 characters').optional(),
  ),
  METRICS_TOKEN: variable(
    'at least 16 characters',
    'none',
    'Bearer token for `/metrics`. Without it, `/metrics` is available on loopback only, and not at all if `PUBLIC_URL` is set.',
    z.string().min(16, 'at least 16 characters').optional(),
  ),
  METRICS_PORT: variable(
    'port',
    'none',
    "Port for a worker's `/healthz`, `/readyz` and `/metrics`: on loopback, or on `HOST` with `METRICS_TOKEN`. Workers on one machine need different ports.",
    port.optional(),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    'http(s)://…',
    'none',
    'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. The API and the workers send it traces of requests, jobs and steps (OTLP/HTTP, JSON), which contain no text, names or addresses.',
    baseUrl.optional(),
  ),
  LOG_LEVEL: variable(
    'debug, info, warn, error',
    'info',
    'Minimum level of log entries. Logs never contain tokens, email addresses, titles or transcripts.',
    choice(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ),
} as const;
