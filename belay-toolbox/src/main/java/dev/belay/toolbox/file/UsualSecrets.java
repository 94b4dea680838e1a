package dev.belay.toolbox.file;

import java.util.List;
import java.util.stream.Stream;

/** Names under which people keep secrets, by what they belong to. A name with slashes is the end of a path. */
final class UsualSecrets {

    private static final List<String> SETTINGS = List.of(".env", ".env.*", ".env-*", ".env_*", "*.env",
            ".envrc",
            "credentials*", ".credentials*", "*credentials.json", "secrets.json", "secrets.yml",
            "secrets.yaml",
            "secrets.toml", "secrets.ini", "secrets.properties", ".netrc", "_netrc", ".htpasswd", ".pgpass",
            ".my.cnf", ".mylogin.cnf", ".smbcredentials", ".msmtprc", ".fetchmailrc", ".*_history");

    private static final List<String> KEYS = List.of(".ssh", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
            "ssh_host_*_key", "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore",
            "*.ppk", "*.ovpn", "*.agekey", ".gnupg", "*.gpg", "*.asc", "secring.*", ".config/sops");

    private static final List<String> PASSWORDS = List.of("*.kdb", "*.kdbx", "*.keychain", "*.keychain-db",
            ".password-store", ".vault-token", ".config/op", ".config/keepassxc", "share/keyrings",
            "Library/Keychains");

    private static final List<String> CLOUDS = List.of(".aws", ".azure", ".config/gcloud", ".boto", ".s3cfg",
            ".passwd-s3fs", ".oci", ".aliyun", ".bluemix", ".fly", ".config/doctl", ".config/linode-cli",
            ".config/rclone", "rclone.conf", ".config/configstore", "service-account*.json",
            "service_account*.json", "client_secret*.json", ".kube", "kubeconfig*", "*.kubeconfig", ".docker",
            ".dockercfg", "containers/auth.json", ".terraform.d", ".terraformrc", "terraform.rc",
            "*.tfstate");

    private static final List<String> TOOLS = List.of(".git", ".belay", ".local/state/belay",
            ".git-credentials", ".config/gh",
            ".config/hub", ".config/glab-cli", ".npmrc", ".pypirc", ".pip/pip.conf", ".config/pip/pip.conf",
            ".m2/settings*.xml", ".gradle/gradle.properties", ".composer/auth.json",
            ".config/composer/auth.json",
            ".codex/auth.json");

    private static final List<String> BROWSERS = List.of(".mozilla", ".config/google-chrome*",
            ".config/chromium",
            ".config/BraveSoftware", ".config/microsoft-edge*", ".config/vivaldi", ".config/opera",
            "Application Support/Google", "Application Support/Firefox", "Google/Chrome", "Mozilla/Firefox",
            "Login Data*", "Default/Cookies", "Network/Cookies", "logins.json", "key3.db", "key4.db",
            "signons.sqlite", "cookies.sqlite");

    private static final List<String> WALLETS = List.of("wallet.dat", "*.wallet", "UTC--*", ".bitcoin",
            ".ethereum", ".electrum", ".litecoin", ".monero", ".config/solana");

    static final List<String> ALL = Stream.of(SETTINGS, KEYS, PASSWORDS, CLOUDS, TOOLS, BROWSERS, WALLETS)
            .flatMap(List::stream)
            .toList();

    /** Source code about credentials. A script that is called exactly so is settings more often than code. */
    static final List<String> EXCEPTIONS = Stream.concat(
            Stream.of("java", "kt", "scala", "groovy", "go", "rs", "c", "cc", "cpp", "h", "hpp", "cs",
                    "swift", "dart",
                    "ex", "hs", "tsx", "jsx", "vue", "svelte", "html", "css", "scss", "md", "adoc", "rst")
                    .map("credentials*."::concat),
            Stream.of("py", "js", "mjs", "ts", "rb", "php", "sql").map("credentials?*."::concat))
            .toList();

    private UsualSecrets() {}
}
