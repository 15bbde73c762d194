import type { DefineCall } from '../../http/calls.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { Paragraphs } from './paragraphs.ts';
import type { TaskService } from './service.ts';
import type { SummaryRequests } from './summary-requests.ts';

export function taskRoutes(
  call: DefineCall,
  tasks: TaskService,
  summaries: SummaryRequests,
  paragraphs: Paragraphs,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  call('task/create', (body, caller) => tasks.create(caller, body));
  call('task/detail', ({ id }, caller) => tasks.detail(caller.accountId, id));
  call('task/index', (body, caller, { origin }) =>
    recordings.list(caller.accountId, body, (key) => addresses.sign(origin, key)),
  );
  call('task/search', (body, caller, { origin }) =>
    tasks.search(caller.accountId, body, (key) => addresses.sign(origin, key)),
  );
  call('task/summarize', (body, caller) => summaries.request(caller.accountId, body));
  call('task/modify-paragraph', (body, caller) => paragraphs.modify(caller.accountId, body));
  call('task/tag', (body, caller) => paragraphs.mark(caller.accountId, body));
  call('task/paragraph-history', (body, caller) => paragraphs.history(caller.accountId, body));
}
