import type { LinkState } from '../../ports/recorder.ts';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** Illustrates this device, the recorder, and their link's state. */
export function LinkPicture({ link }: { link: Exclude<LinkState, { status: 'none' }> }) {
  const isConnecting = link.status === 'connecting' || link.status === 'reconnecting';
  return (
    <div className="link-picture" data-status={link.status} aria-hidden="true">
      <svg viewBox="0 0 64 112" width="64" height="112" className="link-phone" aria-hidden="true">
        <rect x="2" y="2" width="60" height="108" rx="12" />
        <path d="M24 10h16" />
        <path className="link-wave" d="M18 58v0M25 54v8M32 48v20M39 54v8M46 58v0" />
      </svg>
      <span className="link-dots">
        <i />
        <i />
        <i />
        <i />
        <i />
      </span>
      <RecorderDrawing
        face={link.status === 'connected' ? 'bound' : isConnecting ? 'searching' : 'off'}
        height={112}
      />
    </div>
  );
}
