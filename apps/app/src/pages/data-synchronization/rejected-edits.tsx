import type { Operation } from '@linnet/contract';
import type { RejectedEdit } from '@linnet/sync';
import { describeFailure } from '../../i18n/failures.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Notice } from '../../ui/notice.tsx';
import './data-synchronization.css';

/** Returns an edit's text for copying, or an empty string if it has none. */
function editText(op: Operation): string {
  switch (op.type) {
    case 'recording.rename':
      return op.name;
    case 'recording.tag':
      return op.tag;
    case 'recording.word':
      return op.word;
    case 'recording.speaker':
      return op.name;
    case 'recording.place':
      return op.place?.name ?? '';
    case 'recording.marker':
      return op.value?.label ?? '';
    case 'recording.note':
      return op.value?.text ?? '';
    case 'recording.mindMap':
      return (op.mind_map ?? []).map(({ topic }) => topic).join('\n');
    case 'paragraph.edit':
      return op.content;
    case 'paragraph.speaker':
      return op.speaker ?? '';
    default:
      return '';
  }
}

/** Translation key of each kind of edit. */
const kinds = {
  'recording.rename': 'title',
  'recording.tag': 'tag',
  'recording.word': 'word',
  'recording.date': 'date',
  'recording.place': 'place',
  'recording.language': 'language',
  'recording.speaker': 'speaker',
  'recording.dismissProposal': 'speaker',
  'recording.marker': 'marker',
  'recording.note': 'note',
  'recording.tick': 'todo',
  'recording.mindMap': 'mindMap',
  'recording.dismiss': 'text',
  'recording.archive': 'archive',
  'recording.protect': 'protection',
  'recording.bin': 'bin',
  'recording.recover': 'bin',
  'recording.delete': 'bin',
  'paragraph.edit': 'text',
  'paragraph.mark': 'highlight',
  'paragraph.speaker': 'speaker',
  'setting.set': 'setting',
} as const satisfies Record<Operation['type'], string>;

function RejectedEditNotice({ edit }: { edit: RejectedEdit }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const records = useStore(library.records);
  const trySave = useAttemptSave();
  const copy = useCopy();
  const { op, code, msg } = edit;
  const id = op.type === 'setting.set' ? null : op.recording;
  const record =
    records.status === 'ready' ? records.value.find((each) => each.id === id) : undefined;
  const text = editText(op);
  const kind = t(`edits.kinds.${kinds[op.type]}`);
  const reason = describeFailure(t, { kind: 'server', code, msg });
  return (
    <div data-testid="refused-edit">
      <Notice
        message={
          record
            ? t('edits.refusedIn', { kind, name: recordingName(record, t, language) })
            : t('edits.refused', { kind })
        }
        detail={reason.message}
        code={reason.code}
        action={
          <>
            {text !== '' && (
              <Button data-testid="copy-edit" onClick={() => void copy(text)}>
                {t('edits.copy')}
              </Button>
            )}
            <Button
              data-testid="dismiss-edit"
              onClick={() => void trySave(library.dismissRejectedEdits([op.op_id]))}
            >
              {t('edits.dismiss')}
            </Button>
          </>
        }
      >
        {text !== '' && (
          <blockquote className="rejected-text" dir="auto">
            {text}
          </blockquote>
        )}
      </Notice>
    </div>
  );
}

/**
 * Lists edits that the server rejected, each with the reason and a button to copy its text. Renders nothing if no edit
 * was rejected.
 */
export function RejectedEdits() {
  const { library } = useServices();
  const rejectedEdits = useStore(library.rejectedEdits);
  if (rejectedEdits.status === 'loading') return null;
  return rejectedEdits.value.map((edit) => <RejectedEditNotice key={edit.op.op_id} edit={edit} />);
}
