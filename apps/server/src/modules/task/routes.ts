import type { DefineCall } from '../../http/calls.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { TaskService } from './service.ts';

export function taskRoutes(
  call: DefineCall,
  tasks: TaskService,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  call('task/create', (body, caller) => tasks.create(caller, body));
  call('task/detail', ({ id }, caller) => tasks.detail(caller.accountId, id));
  call('task/index', (body, caller, { origin }) =>
    recordings.list(caller.accountId, body, (key) => addresses.sign(origin, key)),
  );
}
