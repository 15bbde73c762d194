import type { FastifyRequest } from 'fastify';
import type { DefineCall } from '../../http/calls.ts';
import type { Converter } from './service.ts';

export function convertRoutes(call: DefineCall, converter: Converter): void {
  call('convert', (body, caller, { origin, request }) =>
    whileWanted(request, (signal) => converter.convert(caller, body, origin, signal)),
  );
}

/** Runs work that is aborted when the client disconnects. */
async function whileWanted<Result>(
  { raw }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const left = new AbortController();
  const leave = () => left.abort();
  raw.socket.once('close', leave);
  try {
    return await work(left.signal);
  } finally {
    raw.socket.off('close', leave);
  }
}
