package org.linnet.app;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkRequest;
import android.net.NetworkSpecifier;
import android.net.wifi.WifiNetworkSpecifier;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import androidx.annotation.RequiresApi;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;

/**
 * Joins a recorder's network with the user's consent, and binds the process to it until it is left. The network has no
 * internet access, so Android would route unbound requests through another network.
 *
 * Rejects with `unsupported` before Android 10 and for names or passwords that are invalid under WPA2; `declined` if
 * the user refuses, the network is not found within `timeoutMs`, or it is left in the meantime; `failed` otherwise.
 */
@CapacitorPlugin(name = "RecorderNetwork")
public class RecorderNetworkPlugin extends Plugin {

    /** The callback of the current request; null if there is none. */
    private ConnectivityManager.NetworkCallback current;
    /** The call to settle when the network is joined. */
    private PluginCall pendingCall;

    @PluginMethod
    public void join(PluginCall call) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.Q) {
            call.reject("Joining a network requires Android 10.", "unsupported");
            return;
        }
        release();
        request(call);
    }

    /** Leaves the network. Has no effect if none was joined. */
    @PluginMethod
    public void leave(PluginCall call) {
        release();
        call.resolve();
    }

    @Override
    protected void handleOnDestroy() {
        release();
    }

    @RequiresApi(Build.VERSION_CODES.Q)
    private synchronized void request(PluginCall call) {
        NetworkSpecifier recorder;
        try {
            recorder = new WifiNetworkSpecifier.Builder()
                .setSsid(call.getString("ssid", ""))
                .setWpa2Passphrase(call.getString("password", ""))
                .build();
        } catch (IllegalArgumentException | IllegalStateException error) {
            call.reject("Invalid network name or password.", "unsupported", error);
            return;
        }
        NetworkRequest request = new NetworkRequest.Builder()
            .addTransportType(NetworkCapabilities.TRANSPORT_WIFI)
            // Required by default, but a recorder's network has no internet access.
            .removeCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)
            .setNetworkSpecifier(recorder)
            .build();
        ConnectivityManager.NetworkCallback callback = new ConnectivityManager.NetworkCallback() {
            @Override
            public void onAvailable(Network network) {
                joined(this, network);
            }

            @Override
            public void onUnavailable() {
                missed(this);
            }

            @Override
            public void onLost(Network network) {
                lost(this);
            }
        };
        int timeoutMs = call.getInt("timeoutMs", 60_000);
        try {
            manager().requestNetwork(request, callback, new Handler(Looper.getMainLooper()), timeoutMs);
        } catch (RuntimeException error) {
            // For example, too many open requests.
            call.reject("The network request failed.", "failed", error);
            return;
        }
        current = callback;
        pendingCall = call;
    }

    // The following callbacks ignore abandoned requests.

    private synchronized void joined(ConnectivityManager.NetworkCallback by, Network network) {
        if (by != current) return;
        if (!manager().bindProcessToNetwork(network)) {
            // The network was lost in the meantime.
            abandon("failed");
            return;
        }
        if (pendingCall != null) pendingCall.resolve();
        pendingCall = null;
    }

    /** Called at most once, as the last callback of a request. */
    private synchronized void missed(ConnectivityManager.NetworkCallback by) {
        if (by != current) return;
        current = null;
        refuse("declined");
    }

    /** The system rejoins the network if it returns. */
    private synchronized void lost(ConnectivityManager.NetworkCallback by) {
        if (by == current) manager().bindProcessToNetwork(null);
    }

    private synchronized void release() {
        if (current != null) abandon("declined");
    }

    private void abandon(String code) {
        manager().bindProcessToNetwork(null);
        manager().unregisterNetworkCallback(current);
        current = null;
        refuse(code);
    }

    private void refuse(String code) {
        if (pendingCall != null) pendingCall.reject("The network was not joined.", code);
        pendingCall = null;
    }

    private ConnectivityManager manager() {
        return (ConnectivityManager) getContext().getSystemService(Context.CONNECTIVITY_SERVICE);
    }
}
