import Copy from 'lucide-react/icons/copy';
import { Button } from './button.tsx';
import { useCopy } from './copy.ts';
import './copyable-text.css';

/** A key or address in full, with a button that copies it. */
export function CopyableText({
  text,
  copyLabel,
  testId,
}: {
  text: string;
  copyLabel: string;
  testId: string;
}) {
  const copy = useCopy();
  return (
    <>
      <code className="copyable-text" dir="ltr" data-testid={testId}>
        {text}
      </code>
      <Button variant="primary" wide icon={<Copy size={18} />} onClick={() => void copy(text)}>
        {copyLabel}
      </Button>
    </>
  );
}
