package org.linnet.app;

import android.Manifest;
import android.content.Intent;
import android.os.Build;
import com.getcapacitor.PermissionState;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;
import com.getcapacitor.annotation.Permission;
import com.getcapacitor.annotation.PermissionCallback;

/**
 * Keeps the app running while something moves, with a notification that shows how far it is.
 *
 * `show` takes `channel`, `title`, `percent` (-1: nobody knows) and `recorder`: whether it comes from a recorder. It
 * rejects with `not_allowed` where Android lets no such work begin: in the background.
 */
@CapacitorPlugin(
    name = "Transfers",
    permissions = { @Permission(alias = TransfersPlugin.NOTIFICATIONS, strings = { Manifest.permission.POST_NOTIFICATIONS }) }
)
public class TransfersPlugin extends Plugin {

    static final String NOTIFICATIONS = "notifications";

    /** Once in the life of the app: a refusal stands, and the work goes on without being shown. */
    private boolean mayAsk = true;

    @PluginMethod
    public void show(PluginCall call) {
        PermissionState state = getPermissionState(NOTIFICATIONS);
        boolean open = state == PermissionState.PROMPT || state == PermissionState.PROMPT_WITH_RATIONALE;
        // Before Android 13, nobody has to be asked.
        boolean asks = Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU;
        if (asks && mayAsk && open && getActivity().hasWindowFocus()) {
            mayAsk = false;
            requestPermissionForAlias(NOTIFICATIONS, call, "asked");
            return;
        }
        begin(call);
    }

    @PermissionCallback
    private void asked(PluginCall call) {
        begin(call);
    }

    /** Harmless when nothing is shown. */
    @PluginMethod
    public void hide(PluginCall call) {
        TransferService.stop();
        call.resolve();
    }

    /** What moves, the pages move, and they end here. */
    @Override
    protected void handleOnDestroy() {
        TransferService.stop();
    }

    private void begin(PluginCall call) {
        Intent intent = new Intent(getContext(), TransferService.class)
            .putExtra(TransferService.CHANNEL_NAME, call.getString("channel", ""))
            .putExtra(TransferService.TITLE, call.getString("title", ""))
            .putExtra(TransferService.PERCENT, call.getInt("percent", -1))
            .putExtra(TransferService.RECORDER, call.getBoolean("recorder", false));
        try {
            TransferService.start(getContext(), intent);
            call.resolve();
        } catch (IllegalStateException error) {
            call.reject("not from the background", "not_allowed", error);
        }
    }
}
