/**
 * Exits with code 0 if the process in this container is ready: `node deploy/container/health.mjs [port]`. The port
 * defaults to the API's; a worker's is METRICS_PORT.
 */
const TIMEOUT_MS = 4000;

const port = process.argv[2] ?? process.env.PORT ?? '8080';
try {
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  console.log(`readyz responded with ${status}`);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  console.error(`readyz didn't respond: ${error.cause?.code ?? error.name}`);
  process.exitCode = 1;
}
