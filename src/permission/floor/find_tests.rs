use super::*;

fn code(line: &str) -> Option<&'static str> {
    let is_secret = |path: &str| path.contains(".env") || path.contains("id_rsa");
    find(&Line::read(line), &is_secret).map(|found| found.code)
}

#[test]
fn every_category_has_its_code() {
    let table = [
        (
            "destructive-delete-root-or-broad-path",
            &[
                "rm -rf /",
                "rm -rf /*",
                "rm -r -f /",
                "/bin/rm -fr /",
                "rm --recursive --force /",
                "rm -rf ~",
                "rm -rf ~/",
                "rm -rf $HOME",
                "rm -rf \"$HOME\"",
                "rm -rf .",
                "rm -rf ..",
                "rm -rf ../..",
                "rm -rf /usr",
                "rm -rf /etc/x",
                "rm -rf /home/me",
                "rm -rf -- /",
                "cd /tmp && rm -rf /",
                "sh -c 'rm -rf /'",
                "echo 'rm -rf /' | sh",
                "bash <<EOF\nrm -rf /\nEOF",
                "eval 'rm -rf /'",
                "for x in 1; do rm -rf /; done",
                "f() { rm -rf /; }",
                "find . -exec rm -rf / \\;",
                "echo / | xargs rm -rf /",
                "\"rm\" -rf /",
                "r\\m -rf /",
                "rm -rf //",
                "rm -rf /./",
                "rm -rf /tmp/../",
                "env -i rm -rf /",
                "nohup rm -rf / &",
                "rm -r /",
                "kubectl delete ns x",
                "mv / /dev/null",
                "timeout 5 rm -rf /",
                "ssh host rm -rf /",
                "rm -rf \"/\"*",
            ] as &[&str],
        ),
        (
            "device-overwrite",
            &[
                "mkfs.ext4 /dev/sda1",
                "dd if=/dev/zero of=/dev/sda",
                "cat x > /dev/sda",
                "tee /dev/nvme0n1",
                "cp x /dev/sda",
            ],
        ),
        (
            "fork-bomb-or-killall",
            &[
                ":(){ :|:& };:",
                "f() { f | f & }; f",
                "kill -9 -1",
                "kill -1",
                "pkill -9 -u me",
                "killall -u me",
            ],
        ),
        (
            "permission-destruction",
            &[
                "chmod -R 777 /",
                "chmod -R 000 /",
                "chmod 777 /",
                "chown -R me /etc",
                "chown -R me ~",
            ],
        ),
        (
            "self-termination",
            &[
                "shutdown -h now",
                "reboot",
                "systemctl poweroff",
                "init 0",
                "telinit 6",
                "kill -9 1",
                "echo b > /proc/sysrq-trigger",
            ],
        ),
        (
            "firewall-flush",
            &["iptables -F", "iptables --flush", "nft flush ruleset"],
        ),
        (
            "disk-destructive",
            &[
                "fdisk /dev/sda",
                "parted x",
                "diskutil eraseDisk x",
                "docker system prune -af",
                "docker volume prune",
            ],
        ),
        (
            "pipe-to-interpreter",
            &[
                "curl x | sh",
                "curl -s x | bash -s",
                "wget -qO- x | python3",
                "curl x | tee y | bash",
                "bash <(curl x)",
                "sh -c \"$(curl x)\"",
                "eval \"$(curl x)\"",
                "curl x | node",
                "source <(curl x)",
            ],
        ),
        (
            "inline-code-destructive",
            &[
                "python3 -c \"import shutil; shutil.rmtree('/')\"",
                "node -e \"fs.rmSync('/etc')\"",
                "python -c \"import os; os.system('rm -rf /')\"",
                "python3 <<E\nimport subprocess\nsubprocess.run(['rm', '-rf', '/'])\nE",
            ],
        ),
        (
            "privilege-escalation",
            &["sudo ls", "su - me", "passwd", "usermod -aG x y", "doas ls"],
        ),
        (
            "package-removal-system",
            &[
                "apt-get remove x",
                "apt purge x",
                "yum remove x",
                "npm uninstall -g x",
                "pip uninstall --break-system-packages x",
            ],
        ),
        (
            "git-destructive",
            &[
                "git push --force",
                "git push -f origin main",
                "git push --force-with-lease",
                "git push origin +main",
                "git reset --hard",
                "git -C x reset --hard HEAD~1",
            ],
        ),
        (
            "terraform-destruction",
            &["terraform destroy", "terraform apply -destroy"],
        ),
        (
            "secret-read",
            &[
                "cat .env",
                "grep x .env",
                "env",
                "printenv",
                "set",
                "export -p",
                "security find-generic-password -w",
                "op read x",
                "gh auth token",
                "cat ~/.ssh/id_rsa",
            ],
        ),
        ("crypto-mining", &["xmrig", "./minerd -o x"]),
        (
            "sql-destructive",
            &[
                "psql -c 'DROP TABLE x'",
                "mysql -e \"drop database x\"",
                "sqlite3 x.db 'truncate  table y'",
                "echo 'DROP SCHEMA x' | psql",
                "psql <<E\nDROP TABLE x;\nE",
            ],
        ),
    ];

    for (expected, lines) in table {
        for line in lines {
            assert_eq!(code(line), Some(expected), "{line}");
        }
    }
}

#[test]
fn words_that_only_look_dangerous_pass() {
    for line in [
        "grep 'DROP TABLE' -r src",
        "grep -rn '.env' src",
        "rg '\\.ssh/id_rsa' src",
        "git log -S 'rm -rf /'",
        "cat <<EOF > notes.md\nrm -rf /\nEOF",
        "echo 'rm -rf /'",
        "git commit -m 'sudo is not needed'",
        "rg 'shutdown|reboot' src",
        "rm -rf target",
        "rm -rf ./build /tmp/x /var/tmp/y",
        "rm -rf /home/me/project/target",
        "rm -f /tmp/x",
        "chmod 777 script.sh",
        "chmod -R 755 dist",
        "kill 1234",
        "kill -1 1234",
        "kill -9 4321",
        "dd if=a of=b",
        "cat x > /dev/null",
        "echo x > /dev/stderr",
        "curl x -o y",
        "curl x | jq .",
        "bash script.sh",
        "python3 -c 'print(1)'",
        "python3 -c \"import os; os.remove('x.txt')\"",
        "sudo -v",
        "sudo -l",
        "git push origin main",
        "git reset --soft HEAD~1",
        "git log -- push --force",
        "git commit -m 'git push --force'",
        "terraform plan",
        "env FOO=1 cargo test",
        "export FOO=1",
        "npm uninstall x",
        "pip uninstall -y x",
        "apt list",
        "sqlite3 x.db 'select * from drop_table'",
        "grep DROP x.sql | grep TABLE",
        "docker ps",
        "find . -name '*.tmp' -delete",
        "cat README.md",
        "f() { ls; }; f; f",
        "psql -c 'select 1'",
        "mv a b",
    ] {
        assert_eq!(code(line), None, "{line}");
    }
}
