package org.linnet.app;

import android.Manifest;
import android.content.Intent;
import android.os.Build;
import com.getcapacitor.Logger;
import com.getcapacitor.PermissionState;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;
import com.getcapacitor.annotation.Permission;
import com.getcapacitor.annotation.PermissionCallback;

/**
 * Keeps the app running in the background during transfers and recordings with the microphone, and shows a notification
 * of their progress.
 *
 * `show` has the parameters `channel`, `title`, `percent` (-1 if unknown) and `type` (of the foreground service, as in
 * the manifest). It rejects with `not_allowed` if Android forbids the start of the service, for example because the app
 * is in the background.
 */
@CapacitorPlugin(
    name = "Transfers",
    permissions = { @Permission(alias = TransfersPlugin.NOTIFICATIONS, strings = { Manifest.permission.POST_NOTIFICATIONS }) }
)
public class TransfersPlugin extends Plugin {

    static final String NOTIFICATIONS = "notifications";

    /**
     * Whether the permission may still be requested. It is requested once per process; if the user refuses, transfers
     * run without a notification.
     */
    private boolean mayRequest = true;

    @PluginMethod
    public void show(PluginCall call) {
        PermissionState state = getPermissionState(NOTIFICATIONS);
        boolean isUndecided = state == PermissionState.PROMPT || state == PermissionState.PROMPT_WITH_RATIONALE;
        // Android requires the permission since version 13.
        boolean isRequired = Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU;
        if (isRequired && mayRequest && isUndecided && getActivity().hasWindowFocus()) {
            mayRequest = false;
            // Starts the service first, because the app may move to the background before the user decides.
            try {
                TransferService.start(getContext(), intentOf(call));
            } catch (IllegalStateException error) {
                Logger.error("Transfers", "failed to start the service", error);
            }
            requestPermissionForAlias(NOTIFICATIONS, call, "onPermissionDecided");
            return;
        }
        startService(call);
    }

    @PermissionCallback
    private void onPermissionDecided(PluginCall call) {
        startService(call);
    }

    /** Stops the service and removes its notification. */
    @PluginMethod
    public void hide(PluginCall call) {
        TransferService.stop();
        call.resolve();
    }

    /** Stops the service, because transfers end when the pages are closed. */
    @Override
    protected void handleOnDestroy() {
        TransferService.stop();
    }

    private Intent intentOf(PluginCall call) {
        return new Intent(getContext(), TransferService.class)
            .putExtra(TransferService.CHANNEL_NAME, call.getString("channel", ""))
            .putExtra(TransferService.TITLE, call.getString("title", ""))
            .putExtra(TransferService.PERCENT, call.getInt("percent", -1))
            .putExtra(TransferService.TYPE, call.getString("type", ""));
    }

    private void startService(PluginCall call) {
        try {
            TransferService.start(getContext(), intentOf(call));
            call.resolve();
        } catch (IllegalStateException error) {
            call.reject("The service cannot start in the background.", "not_allowed", error);
        }
    }
}
