import type { ObjectTransfers } from '@linnet/app/server-cloud';
import type { CallFailure } from '@linnet/contract/client';
import { signCosPost } from '@linnet/contract/cos-post';

const failed = (failure: CallFailure) => ({ ok: false, failure }) as const;

/** A phone's network, including its connection to the object store. Faults apply to upcoming requests. */
export class Network {
  isOnline = true;
  /** Number of calls whose responses are dropped. */
  lostResponses = 0;
  /** Number of object transfers that the store rejects with status 500. */
  refusedObjects = 0;
  /** Number of object transfers that are cut off halfway. */
  halvedObjects = 0;

  clear(): void {
    Object.assign(this, { isOnline: true, lostResponses: 0, refusedObjects: 0, halvedObjects: 0 });
  }

  readonly fetch: typeof globalThis.fetch = async (...request) => {
    if (!this.isOnline) throw new TypeError('offline');
    const response = await globalThis.fetch(...request);
    if (this.isOnline && this.lostResponses === 0) return response;
    this.lostResponses = Math.max(0, this.lostResponses - 1);
    await response.body?.cancel();
    throw new TypeError('the response was lost');
  };

  readonly transfers: ObjectTransfers = {
    store: async (grant, file, { name, contentType }, _onProgress, signal) => {
      if (this.#isRefused()) return failed({ kind: 'http', status: 500 });
      const fields =
        grant.form?.fields ?? (await signCosPost(grant, { contentType, size: file.size }));
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', file, name);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const bytes = new Uint8Array(await encoded.arrayBuffer());
      const isHalved = this.#isHalved();
      try {
        const response = await this.fetch(grant.form?.url ?? grant.uploadUrl, {
          method: 'POST',
          headers: { 'content-type': type },
          ...(isHalved ? { body: streamHalf(bytes), duplex: 'half' } : { body: bytes }),
          signal,
        });
        await response.body?.cancel();
        if (response.status === 204) return { ok: true, data: grant.url };
        return failed({ kind: 'http', status: response.status });
      } catch (cause) {
        return failed(signal.aborted ? { kind: 'aborted' } : { kind: 'network', cause });
      }
    },

    read: async (url, fromByte, onPiece, signal) => {
      if (this.#isRefused()) return failed({ kind: 'http', status: 500 });
      let bytes: Uint8Array;
      try {
        const headers = fromByte > 0 ? { range: `bytes=${fromByte}-` } : undefined;
        const response = await this.fetch(url, { ...(headers && { headers }), signal });
        if (response.status === 416) return { ok: true, data: null };
        if (!response.ok) return failed({ kind: 'http', status: response.status });
        bytes = new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        return failed(signal.aborted ? { kind: 'aborted' } : { kind: 'network', cause });
      }
      const isHalved = this.#isHalved();
      const received = isHalved ? bytes.subarray(0, bytes.length / 2) : bytes;
      await onPiece(received, fromByte + bytes.length);
      if (!isHalved) return { ok: true, data: null };
      return failed({ kind: 'network', cause: 'the transfer ended in the middle' });
    },
  };

  #isRefused(): boolean {
    if (this.refusedObjects === 0) return false;
    this.refusedObjects -= 1;
    return true;
  }

  #isHalved(): boolean {
    if (this.halvedObjects === 0) return false;
    this.halvedObjects -= 1;
    return true;
  }
}

/** Returns a request body that fails after half of the bytes. */
function streamHalf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError('the connection was lost'));
      isSent = true;
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
    },
  });
}
