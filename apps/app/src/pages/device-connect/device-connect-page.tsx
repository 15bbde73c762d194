import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type {
  AddedKind,
  BindStep,
  FoundRecorder,
  RecorderFailure,
  RecorderTransport,
} from '../../ports/recorder.ts';
import { BindProgress } from './bind-progress.tsx';
import { FoundList } from './found-list.tsx';
import { Reconnect } from './reconnect.tsx';
import { RecorderAddress } from './recorder-address.tsx';
import { Searching } from './searching.tsx';
import { TransportList } from './transport-list.tsx';
import './device-connect.css';

/** The current stage of connecting a recorder. */
type Stage =
  | { readonly at: 'choosing'; readonly failure: RecorderFailure | null }
  | { readonly at: 'address'; readonly isBusy: boolean; readonly failure: RecorderFailure | null }
  | { readonly at: 'searching'; readonly kind: RecorderTransport['kind'] }
  | {
      readonly at: 'found';
      readonly kind: RecorderTransport['kind'];
      readonly recorders: readonly FoundRecorder[];
    }
  | { readonly at: 'binding'; readonly recorder: FoundRecorder; readonly step: BindStep }
  | { readonly at: 'bound'; readonly recorder: FoundRecorder; readonly kind: AddedKind }
  | {
      readonly at: 'failed';
      readonly recorder: FoundRecorder;
      readonly step: BindStep;
      readonly failure: RecorderFailure;
    };

/** Finds and binds a recorder, or connects an already bound recorder. */
export default function DeviceConnectPage() {
  const { t } = useTranslation();
  const { recorder, recorders } = useServices();
  const link = useStore(recorder.link);
  const [parameters] = useSearchParams();
  const [stage, setStage] = useState<Stage>({ at: 'choosing', failure: null });
  // Offer a bound recorder first, unless another recorder was requested.
  const snToBindAgain = parameters.get('again');
  const hasStarted = useRef(false);
  const [wantsAnother, setWantsAnother] = useState(parameters.get('another') !== null);

  /** Moves to the next stage, unless the user has already left this one. */
  const leaveStage = (at: Stage['at'], next: Stage) =>
    setStage((current) => (current.at === at ? next : current));
  /** @returns the recorders found */
  const search = async (kind: RecorderTransport['kind']): Promise<readonly FoundRecorder[]> => {
    setStage({ at: 'searching', kind });
    const result = await recorder.find(kind);
    leaveStage(
      'searching',
      result.ok
        ? { at: 'found', kind, recorders: result.data }
        : { at: 'choosing', failure: result.failure },
    );
    return result.ok ? result.data : [];
  };
  const findAt = async (address: string) => {
    setStage({ at: 'address', isBusy: true, failure: null });
    const result = await recorder.findAt(address);
    leaveStage(
      'address',
      result.ok
        ? { at: 'found', kind: 'websocket', recorders: result.data }
        : { at: 'address', isBusy: false, failure: result.failure },
    );
  };
  const bind = async (found: FoundRecorder) => {
    let lastStep: BindStep = 'connecting';
    setStage({ at: 'binding', recorder: found, step: lastStep });
    const result = await recorder.bind(found, (step) => {
      lastStep = step;
      setStage({ at: 'binding', recorder: found, step });
    });
    if (result.ok) {
      vibrate('bind');
      if (result.data !== 'pocket') recorders.choose(result.data);
      setStage({ at: 'bound', recorder: found, kind: result.data });
    } else {
      setStage({ at: 'failed', recorder: found, step: lastStep, failure: result.failure });
    }
  };
  /** Rebinds a recorder that has lost its binding. Searches over the transport it was last found on. */
  const bindAgain = async (sn: string) => {
    const knownRecorder = recorder.known().find((each) => each.sn === sn);
    if (!knownRecorder) return setWantsAnother(true);
    const foundRecorders = await search(knownRecorder.kind);
    const match = foundRecorders.find((each) => each.sn === sn);
    if (match) await bind(match);
  };
  useEffect(() => {
    const isUnbound = link.status === 'idle' && link.reason === 'unbound';
    if (!isUnbound || link.sn !== snToBindAgain || hasStarted.current) return;
    hasStarted.current = true;
    void bindAgain(link.sn);
  });
  const choose = () => setStage({ at: 'choosing', failure: null });

  const rememberedLink =
    link.status !== 'none' && !wantsAnother && stage.at === 'choosing' ? link : null;
  const hasRecorder = stage.at === 'bound';
  const step = rememberedLink
    ? `remembered ${rememberedLink.status}`
    : hasRecorder
      ? 'bound'
      : stage.at;
  return (
    <Page title={t('connect.title')} parent={paths.files} step={step}>
      {rememberedLink ? (
        <Reconnect
          link={rememberedLink}
          onBindAgain={() => void bindAgain(rememberedLink.sn)}
          onAnother={() => setWantsAnother(true)}
        />
      ) : stage.at === 'choosing' ? (
        <TransportList
          failure={stage.failure}
          onChoose={(kind) => void search(kind)}
          onAddress={() => setStage({ at: 'address', isBusy: false, failure: null })}
        />
      ) : stage.at === 'address' ? (
        <RecorderAddress
          failure={stage.failure}
          isBusy={stage.isBusy}
          onFind={(address) => void findAt(address)}
          onOther={choose}
        />
      ) : stage.at === 'searching' ? (
        <Searching />
      ) : stage.at === 'found' ? (
        <FoundList
          recorders={stage.recorders}
          onBind={(found) => void bind(found)}
          onSearch={() => void search(stage.kind)}
          onOther={choose}
        />
      ) : (
        <BindProgress
          recorder={stage.recorder}
          step={stage.at === 'bound' ? 'done' : stage.step}
          kind={stage.at === 'bound' ? stage.kind : 'linnet'}
          failure={stage.at === 'failed' ? stage.failure : null}
          onRetry={() => void bind(stage.recorder)}
          onOther={choose}
        />
      )}
    </Page>
  );
}
