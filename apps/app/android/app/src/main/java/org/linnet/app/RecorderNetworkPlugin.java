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
 * Joins a recorder's network with the user's consent, and binds the process to the network until it is left.
 * Without the binding, Android would route requests through another network, because this one has no internet access.
 *
 * `join` rejects with one of these codes:
 * - `unsupported` before Android 10, or if the name or password is invalid for WPA2
 * - `declined` if the user refuses, the network is not found within `timeoutMs`, or it is left before it is joined
 * - `failed` for any other reason
 */
@CapacitorPlugin(name = "RecorderNetwork")
public class RecorderNetworkPlugin extends Plugin {

    /** The callback of the current request; null if there is none. */
    private ConnectivityManager.NetworkCallback currentCallback;
    /** The call that waits for the network to be joined. */
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

    /** Leaves the network, if one was joined. */
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
        NetworkSpecifier specifier;
        try {
            specifier = new WifiNetworkSpecifier.Builder()
                .setSsid(call.getString("ssid", ""))
                .setWpa2Passphrase(call.getString("password", ""))
                .build();
        } catch (IllegalArgumentException | IllegalStateException error) {
            call.reject("Invalid network name or password.", "unsupported", error);
            return;
        }
        NetworkRequest request = new NetworkRequest.Builder()
            .addTransportType(NetworkCapabilities.TRANSPORT_WIFI)
            // Android requires internet access by default, which the network of a recorder does not have.
            .removeCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)
            .setNetworkSpecifier(specifier)
            .build();
        ConnectivityManager.NetworkCallback callback = new ConnectivityManager.NetworkCallback() {
            @Override
            public void onAvailable(Network network) {
                onJoined(this, network);
            }

            @Override
            public void onUnavailable() {
                onNotFound(this);
            }

            @Override
            public void onLost(Network network) {
                onConnectionLost(this);
            }
        };
        int timeoutMs = call.getInt("timeoutMs", 60_000);
        try {
            manager().requestNetwork(request, callback, new Handler(Looper.getMainLooper()), timeoutMs);
        } catch (RuntimeException error) {
            // Android throws an exception if, for example, the app has too many open requests.
            call.reject("The network request failed.", "failed", error);
            return;
        }
        currentCallback = callback;
        pendingCall = call;
    }

    // The following methods ignore the callbacks of abandoned requests.

    private synchronized void onJoined(ConnectivityManager.NetworkCallback callback, Network network) {
        if (callback != currentCallback) return;
        if (!manager().bindProcessToNetwork(network)) {
            // The network has already been lost.
            abandonRequest("failed");
            return;
        }
        if (pendingCall != null) pendingCall.resolve();
        pendingCall = null;
    }

    /** Called at most once per request, and after all other callbacks. */
    private synchronized void onNotFound(ConnectivityManager.NetworkCallback callback) {
        if (callback != currentCallback) return;
        currentCallback = null;
        rejectPendingCall("declined");
    }

    /** Keeps the request, because the system joins the network again when it is back in range. */
    private synchronized void onConnectionLost(ConnectivityManager.NetworkCallback callback) {
        if (callback == currentCallback) manager().bindProcessToNetwork(null);
    }

    private synchronized void release() {
        if (currentCallback != null) abandonRequest("declined");
    }

    private void abandonRequest(String code) {
        manager().bindProcessToNetwork(null);
        manager().unregisterNetworkCallback(currentCallback);
        currentCallback = null;
        rejectPendingCall(code);
    }

    private void rejectPendingCall(String code) {
        if (pendingCall != null) pendingCall.reject("The network was not joined.", code);
        pendingCall = null;
    }

    private ConnectivityManager manager() {
        return (ConnectivityManager) getContext().getSystemService(Context.CONNECTIVITY_SERVICE);
    }
}
