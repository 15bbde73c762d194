import type { DefineCall } from '../../http/calls.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { StoredObjectDependencies } from '../upload/grant-queries.ts';
import { findStoredObject } from '../upload/grant-queries.ts';
import type { Cancellation } from './cancel.ts';
import type { Drafts } from './drafts.ts';
import type { Merges } from './merge.ts';
import type { MindMapFiles } from './mind-map-files.ts';
import type { Paragraphs } from './paragraphs.ts';
import type { TaskService } from './service.ts';
import type { SummaryRequests } from './summary-requests.ts';

export function taskRoutes(
  call: DefineCall,
  tasks: TaskService,
  summaries: SummaryRequests,
  cancellation: Cancellation,
  drafts: Drafts,
  merges: Merges,
  paragraphs: Paragraphs,
  recordings: RecordingService,
  mindMaps: MindMapFiles,
  uploads: StoredObjectDependencies & { readonly addresses: Addresses },
): void {
  const { addresses } = uploads;
  call('task/create', (body, caller) => {
    const { audio_url: url } = body;
    if (url === undefined) return tasks.create(caller, body);
    return tasks.create(caller, body, async () => {
      const { key } = await findStoredObject(uploads, caller.accountId, url, 'voice_file');
      return key;
    });
  });
  call('task/cancel', ({ id }, caller) => cancellation.cancel(caller.accountId, id));
  call('task/merge', (body, caller) => merges.merge(caller.accountId, body));
  call('task/price', (body, caller) => tasks.price(caller.accountId, body));
  call('task/drafts', (_, caller) => drafts.count(caller.accountId));
  call('task/replace-drafts', (_, caller) => drafts.replace(caller.accountId));
  call('task/detail', ({ id }, caller, { origin }) =>
    tasks.detail(caller.accountId, id, mindMaps.signer(origin, caller.sessionId)),
  );
  call('task/index', (body, caller, { origin }) =>
    recordings.list(caller.accountId, body, (key) => addresses.sign(origin, key, caller.sessionId)),
  );
  call('task/search', (body, caller, { origin }) =>
    tasks.search(caller.accountId, body, (key) => addresses.sign(origin, key, caller.sessionId)),
  );
  call('task/summarize', (body, caller) => summaries.request(caller.accountId, body));
  call('task/modify-paragraph', (body, caller) => paragraphs.modify(caller.accountId, body));
  call('task/tag', (body, caller) => paragraphs.mark(caller.accountId, body));
  call('task/paragraph-history', (body, caller) => paragraphs.history(caller.accountId, body));
}
