import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode, useState } from 'react';
import { BirdDrawing, BirdMark } from '../ui/bird.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { Confirm, Prompt } from '../ui/dialog.tsx';
import { Checkbox, Field, PasswordField } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import { LoadingPlaceholder, Notice } from '../ui/notice.tsx';
import { Battery, RecorderDrawing, StorageRing } from '../ui/recorder.tsx';
import { ProgressRing, Tick } from '../ui/ring.tsx';
import { useToast } from '../ui/toast.tsx';
import { Waveform } from '../ui/trace.tsx';
import { speechPeaks } from './fixtures/speech.ts';

function Section({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="workbench-shelf">
      <h2>{name}</h2>
      <div className="workbench-pieces">{children}</div>
    </section>
  );
}

const faces = [
  'off',
  'idle',
  'recording',
  'paused',
  'searching',
  'updating',
  'asking',
  'bound',
] as const;
const colors = [
  'paper',
  'surface',
  'sunken',
  'ink',
  'ink-2',
  'line',
  'trace',
  'crimson',
  'crimson-wash',
  'leaf',
  'amber',
];

/** Shows every interface component in every state. */
export function Components() {
  const show = useToast();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [dialog, setDialog] = useState<'confirm' | 'prompt' | null>(null);
  const [choice, setChoice] = useState<'meeting' | 'note' | 'call'>('meeting');
  return (
    <>
      <Section name="Colors">
        {colors.map((name) => (
          <span className="workbench-color" key={name}>
            <span style={{ background: `var(--${name})` }} />
            {name}
          </span>
        ))}
      </Section>
      <Section name="Bird">
        <BirdMark size={24} />
        <BirdMark size={48} />
        <BirdMark size={96} />
        <BirdDrawing />
      </Section>
      <Section name="Recorder">
        {faces.map((face) => (
          <RecorderDrawing key={face} face={face} />
        ))}
        <Battery level={72} charging={false} label="Battery 72%" />
        <Battery level={9} charging={false} label="Battery 9%" />
        <Battery level={40} charging label="Battery 40%, charging" />
        <StorageRing used={35} full={false} label="35% used" />
        <StorageRing used={100} full label="Full" />
      </Section>
      <Section name="Buttons">
        <Button variant="primary">Primary</Button>
        <Button>Plain</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Delete</Button>
        <Button variant="primary" busy>
          Busy
        </Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <IconButton label="Rename">
          <Pencil size={20} />
        </IconButton>
      </Section>
      <Section name="Fields">
        <Field label="Email" defaultValue="miriam@example.org" />
        <Field label="Email" error="Please fill in your email address" />
        <PasswordField label="Password" hint="At least 8 characters." defaultValue="quiet birds" />
        <Checkbox defaultChecked>I accept both texts.</Checkbox>
        <Checkbox error="Please accept both texts">I accept both texts.</Checkbox>
        <SegmentedControl<'meeting' | 'note' | 'call'>
          label="What you record"
          value={choice}
          onChange={setChoice}
          options={[
            { value: 'meeting', label: 'Meeting' },
            { value: 'note', label: 'Note' },
            { value: 'call', label: 'Call' },
          ]}
        />
      </Section>
      <Section name="Progress">
        <Waveform peaks={new Uint8Array()} filled={0} />
        <Waveform peaks={speechPeaks(2)} filled={0} />
        <Waveform peaks={speechPeaks(2)} filled={0.6} />
        <Waveform peaks={speechPeaks(2)} filled={1} />
        <ProgressRing percent={4} label="4%">
          4
        </ProgressRing>
        <ProgressRing percent={62} label="62%">
          62
        </ProgressRing>
        <ProgressRing percent={62} paused label="Paused at 62%">
          62
        </ProgressRing>
        <ProgressRing percent={99} label="99%">
          99
        </ProgressRing>
        <Tick label="Transcribed" />
      </Section>
      <Section name="Notices">
        <Notice
          message="This phone is full"
          detail="Transferred recordings are saved. The others remain on the recorder."
          code="storage_full"
          action={<Button>Try again</Button>}
        />
        <Notice
          tone="plain"
          message="No recorder was chosen"
          detail="Search again."
          code="cancelled"
        />
        <div className="workbench-wide">
          <LoadingPlaceholder lines={3} />
        </div>
      </Section>
      <Section name="Overlays">
        <Button onClick={() => show({ message: 'Restored' })}>Toast</Button>
        <Button onClick={() => show({ message: 'The recorder is busy', kind: 'error' })}>
          Error toast
        </Button>
        <Button
          onClick={() =>
            show({ message: 'The server is being moved to another machine.', sticky: true })
          }
        >
          Server message
        </Button>
        <Button
          onClick={() =>
            show({
              message: '“Field notes” is in the bin',
              action: { label: 'Undo', run: () => show({ message: '“Field notes” is back' }) },
            })
          }
        >
          Undo toast
        </Button>
        <Button onClick={(event) => setAnchor(event.currentTarget)}>Menu</Button>
        <Button onClick={() => setDialog('confirm')}>Question</Button>
        <Button onClick={() => setDialog('prompt')}>Prompt</Button>
      </Section>
      <Menu
        anchor={anchor}
        label="Field notes"
        onClose={() => setAnchor(null)}
        items={[
          { kind: 'action', label: 'Rename', icon: <Pencil size={18} />, run: () => {} },
          {
            kind: 'action',
            label: 'Move to bin',
            icon: <Trash2 size={18} />,
            danger: true,
            run: () => {},
          },
        ]}
      />
      {dialog === 'confirm' && (
        <Confirm
          title="Delete it from the recorder?"
          confirmLabel="Delete"
          danger
          onConfirm={() => setDialog(null)}
          onCancel={() => setDialog(null)}
        >
          This is the only copy. It cannot be restored.
        </Confirm>
      )}
      {dialog === 'prompt' && (
        <Prompt
          title="Rename"
          label="Recording name"
          value="Field notes"
          maxLength={200}
          submitLabel="Save"
          onSubmit={() => setDialog(null)}
          onCancel={() => setDialog(null)}
        />
      )}
    </>
  );
}
