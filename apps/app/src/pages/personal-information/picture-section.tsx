import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { AccountState } from '../../ports/account.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AccountPicture } from '../account/account-picture.tsx';
import { CropSheet } from './crop-sheet.tsx';

type User = Extract<AccountState, { status: 'signed-in' }>['user'];

/** Shows the user's picture, with a button to change it. */
export function PictureSection({ user }: { user: User }) {
  const { t } = useTranslation();
  const { profile } = useServices();
  const show = useToast();
  const [chosenPicture, setChosenPicture] = useState<ImageBitmap | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const choose = async (file: File | undefined) => {
    if (!file) return;
    try {
      setChosenPicture(await createImageBitmap(file));
    } catch {
      // The browser can't decode the file, and doesn't say why.
      show({ message: t('personal.notPicture'), kind: 'error' });
    }
  };
  const forget = () => {
    chosenPicture?.close();
    setChosenPicture(null);
  };
  const closeSheet = () => {
    if (!isBusy) forget();
  };
  const upload = async (picture: Blob | null) => {
    setBusy(true);
    const result = await profile.setPicture(picture);
    setBusy(false);
    setRemoving(false);
    if (!result.ok) {
      const failureText = describeFailure(t, result.failure);
      show({ message: failureText.message, kind: 'error', sticky: failureText.sticky });
      return;
    }
    forget();
    show({ message: t(picture ? 'personal.pictureSaved' : 'personal.pictureRemoved') });
  };

  return (
    <section className="picture-section">
      <AccountPicture user={user} size={112} />
      <div className="picture-actions">
        <label className="button" data-look="plain">
          <span>{t(user.avatar ? 'personal.changePicture' : 'personal.choosePicture')}</span>
          <input
            type="file"
            className="visually-hidden"
            accept="image/*"
            data-testid="picture-file"
            onChange={(event) => {
              void choose(event.currentTarget.files?.[0]);
              // Allow the same file to be selected again.
              event.currentTarget.value = '';
            }}
          />
        </label>
        {user.avatar && (
          <Button variant="quiet" data-testid="remove-picture" onClick={() => setRemoving(true)}>
            {t('personal.removePicture')}
          </Button>
        )}
      </div>
      {chosenPicture && (
        <CropSheet
          picture={chosenPicture}
          busy={isBusy}
          onUse={(square) => void upload(square)}
          onClose={closeSheet}
        />
      )}
      {isRemoving && (
        <Confirm
          title={t('personal.removePictureTitle')}
          confirmLabel={t('personal.removePicture')}
          danger
          busy={isBusy}
          onCancel={() => setRemoving(false)}
          onConfirm={() => void upload(null)}
        >
          {t('personal.removePictureText')}
        </Confirm>
      )}
    </section>
  );
}
