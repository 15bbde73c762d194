package org.linnet.app;

import android.content.Intent;
import android.os.Bundle;
import com.getcapacitor.BridgeActivity;

/** The one screen of the app: the pages, and what a phone adds to them. */
public class MainActivity extends BridgeActivity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        registerPlugin(FilesPlugin.class);
        registerPlugin(RecorderNetworkPlugin.class);
        registerPlugin(SecureStoragePlugin.class);
        registerPlugin(TransfersPlugin.class);
        // A screen that is made anew gets the intent of the first again, which may have shared something.
        if (savedInstanceState != null) setIntent(new Intent(Intent.ACTION_MAIN));
        super.onCreate(savedInstanceState);
    }
}
