package org.linnet.app;

import android.content.Intent;
import android.os.Bundle;
import com.getcapacitor.BridgeActivity;

/** The only activity, which hosts the web pages and registers the native plugins. */
public class MainActivity extends BridgeActivity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        registerPlugin(FilesPlugin.class);
        registerPlugin(RecorderNetworkPlugin.class);
        registerPlugin(SecureStoragePlugin.class);
        registerPlugin(TransfersPlugin.class);
        // A recreated activity gets the original intent, whose files have already been received.
        if (savedInstanceState != null) setIntent(new Intent(Intent.ACTION_MAIN));
        super.onCreate(savedInstanceState);
    }
}
