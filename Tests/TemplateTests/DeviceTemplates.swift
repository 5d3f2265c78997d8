/// Templates of Shelly, WLED, Tasmota, OpenMQTTGateway, rtl_433 and smaller projects, with results of Jinja and Home Assistant's filters.
enum DeviceTemplates {
    /// Nil: the payload is dropped.
    static let values: [(source: String, payload: String, result: String?)] = [
        (#"{%if value in ["mild","heavy"]%}ON{%else%}OFF{%endif%}"#, "none", "OFF"),
        (#"{%if value in ["mild","heavy"]%}ON{%else%}OFF{%endif%}"#, "mild", "ON"),
        (#"{%if value in ["mild","heavy"]%}ON{%else%}OFF{%endif%}"#, "heavy", "ON"),
        ("{{value_json.thermostats.0.tmp.value}}", #"{"thermostats":[{"tmp":{"value":21.4}}]}"#, "21.4"),
        ("{{((1000000/(value_json.temp|int,2700)|max)|round(0,'floor'))}}", #"{"temp":4000}"#, "250"),
        ("{{((1000000/(value_json.temp|int,2700)|max)|round(0,'floor'))}}", #"{"temp":0}"#, "370"),
        ("{%if is_number(value) and 0<=value|int<=65535%}{{value}}{%endif%}", "412", "412"),
        ("{%if is_number(value) and 0<=value|int<=65535%}{{value}}{%endif%}", "-1", ""),
        ("{%if is_number(value) and 0<=value|int<=65535%}{{value}}{%endif%}", "n/a", ""),
        ("{%if is_number(value) and -100<value|int<900%}{{value}}{%endif%}", "21.37", "21.37"),
        ("{%if is_number(value) and -100<value|int<900%}{{value}}{%endif%}", "999", ""),
        (
            "{%if value_json.event%}{{{'event_type':value_json.event}|to_json}}{%endif%}",
            #"{"event":"SL","event_cnt":3}"#, #"{"event_type":"SL"}"#
        ),
        ("{%if value_json.event%}{{{'event_type':value_json.event}|to_json}}{%endif%}", #"{"event":""}"#, ""),
        ("{{{'status':value}|tojson}}", "heavy", #"{"status": "heavy"}"#),
        (
            "{%if value_json['update'].new_version%}{{value_json['update'].new_version}}{%else%}{{value_json['update'].old_version}}{%endif%}",
            #"{"update":{"old_version":"1.11","new_version":""}}"#, "1.11"
        ),
        (
            "{%if value_json.thermostats.0.target_t.value<=5%}off{%elif value_json.thermostats.0.pos==0%}idle{%else%}heating{%endif%}",
            #"{"thermostats":[{"pos":40,"target_t":{"value":21}}]}"#, "heating"
        ),
        (
            "{%if value_json.thermostats.0.target_t.value<=5%}off{%elif value_json.thermostats.0.pos==0%}idle{%else%}heating{%endif%}",
            #"{"thermostats":[{"pos":0,"target_t":{"value":21}}]}"#, "idle"
        ),
        (
            "profile {{value_json.thermostats.0.schedule_profile}}",
            #"{"thermostats":[{"schedule_profile":2}]}"#, "profile 2"
        ),
        ("{{value.replace('_',' ')}}", "failed_to_open", "failed to open"),
        (
            "{%if value=='opened'%}open{%elif value in ('closed','closing','opening')%}{{value}}{%endif%}",
            "opened", "open"
        ),
        (
            "{%if value=='opened'%}open{%elif value in ('closed','closing','opening')%}{{value}}{%endif%}",
            "closing", "closing"
        ),
        (
            "{%if value=='opened'%}open{%elif value in ('closed','closing','opening')%}{{value}}{%endif%}",
            "failure", ""
        ),
        (
            "{%if value_json.thermostats.0.pos!=-1%}{{value_json.thermostats.0.pos}}{%endif%}",
            #"{"thermostats":[{"pos":-1}]}"#, ""
        ),
        (
            "{%if value_json.thermostats.0.pos!=-1%}{{value_json.thermostats.0.pos}}{%endif%}",
            #"{"thermostats":[{"pos":12}]}"#, "12"
        ),
        ("{%if value!=-1%}{{value}}{%endif%}", "-1", "-1"),
        ("{%if value!=-1%}{{value}}{%endif%}", "50", "50"),
        ("{{value|float*100}}", "0.57", "56.99999999999999"),
        ("{{value|float/60}}", "90", "1.5"),
        ("{{(value|float/60/1000)|round(2)}}", "1234567", "20.58"),
        ("{%if value!=999%}{{value|float|round(1)}}{%endif%}", "55.25", "55.2"),
        (
            "{%if value_json.wifi_sta.rssi!=0%}{{value_json.wifi_sta.rssi}}{%endif%}",
            #"{"wifi_sta":{"rssi":-61}}"#, "-61"
        ),
        (
            "{{value_json['update']|tojson}}",
            #"{"update":{"has_update":false,"old_version":"1"}}"#, #"{"has_update": false, "old_version": "1"}"#
        ),
        (
            "{{value[1:3]|int(base=16)}},{{value[3:5]|int(base=16)}},{{value[5:7]|int(base=16)}}",
            "#00ff7F", "0,255,127"
        ),
        ("{{value[1:3]|int(base=16)}},{{value[3:5]|int(base=16)}},{{value[5:7]|int(base=16)}}", "", nil),
        ("{{ value_json.Color.split(',')[0:3]|join(',') }}", #"{"Color":"255,128,0,0,12"}"#, "255,128,0"),
        (
            "{% if value_json.Color is defined %}{{ (value_json.Color[0:2]|int(base=16),value_json.Color[2:4]|int(base=16),value_json.Color[4:6]|int(base=16)) | join(',')}}{% endif %}",
            #"{"Color":"FF8000"}"#, "255,128,0"
        ),
        (
            "{% if value_json.Color is defined %}{{ (value_json.Color[0:2]|int(base=16),value_json.Color[2:4]|int(base=16),value_json.Color[4:6]|int(base=16)) | join(',')}}{% endif %}",
            "{}", ""
        ),
        (
            "{{ 25 if value|trim == '3,0' else 50 if value|trim == '3,1' else 75 if value|trim == '3,2' else 100 if value|trim == '3,3' else 25 }}",
            " 3,1 ", "50"
        ),
        (
            "{{ 25 if value|trim == '3,0' else 50 if value|trim == '3,1' else 75 if value|trim == '3,2' else 100 if value|trim == '3,3' else 25 }}",
            "3,9", "25"
        ),
        ("{{ value_json.tempc | is_defined }}", #"{"tempc":-3.5}"#, "-3.5"),
        ("{{ value_json.tempc | is_defined }}", #"{"hum":40}"#, nil),
        ("{{ value_json.pa | float / 100 }}", #"{"pa":101325}"#, "1013.25"),
        ("{{ float(value) * 99 + 1 }}", "1", "100.0"),
        ("{{ float(value) * 99 + 1 }}", "0", "1.0"),
        ("{{ float(value) * 99 + 1 | int }}", "1", "100.0"),
        ("{{ float(value|int) * 99 + 1 }}", "1", "100.0"),
        ("{{ float(value_json.battery_ok) * 99 + 1 }}", #"{"battery_ok":1}"#, "100.0"),
        ("{{ float(value_json.battery_ok) * 99 + 1 }}", #"{"battery_ok":"low"}"#, nil),
        ("{{ float(value_json.temp[1].value) }}", #"{"temp":[{"value":"40"},{"value":"51"}]}"#, "51.0"),
        ("{{ float(value_json.temp[1].value) }}", #"{"temp":[]}"#, nil),
        ("{{ value_json.volumeMls / 1000 }}", #"{"volumeMls":2500}"#, "2.5"),
        ("{{value_json.temperature | round(3) | default(0)}}", #"{"temperature":21.12345}"#, "21.123"),
        ("{{value_json.temperature | round(3) | default(0)}}", "{}", nil),
        ("{{ 'ON' if value_json.status | int | bitwise_and(256) else 'OFF' }}", #"{"status":"257"}"#, "ON"),
        ("{{ 'ON' if value_json.status | int | bitwise_and(256) else 'OFF' }}", #"{"status":1}"#, "OFF"),
        ("{{ 'ON' if value.split(',')[2] == '1' else 'OFF' }}", "a,b,1", "ON"),
        ("{{ 'ON' if value.split(',')[2] == '1' else 'OFF' }}", "a,b,0", "OFF"),
        ("{{ 'ON' if value.split(',')[2] == '1' else 'OFF' }}", "a", "OFF"),
        ("{{ value.split(',')[4] | int }}", "0,1,2,3,512", "512"),
        (#"{{ value.split(":" )[0] }}"#, "WARN: no data", "WARN"),
        (#"{% set s = value.split(":" )[0] %}{% if s == "WARN" %}ON{% else %}OFF{% endif %}"#, "WARN: no data", "ON"),
        (#"{% set s = value.split(":" )[0] %}{% if s == "WARN" %}ON{% else %}OFF{% endif %}"#, "OK", "OFF"),
        (
            "{% set rssi = value_json.wifi_sta.rssi | int(-100) %}{% if rssi >= -70 %}good{% elif rssi >= -80 %}fair{% else %}poor{% endif %}",
            #"{"wifi_sta":{"rssi":-61}}"#, "good"
        ),
        (
            "{% set rssi = value_json.wifi_sta.rssi | int(-100) %}{% if rssi >= -70 %}good{% elif rssi >= -80 %}fair{% else %}poor{% endif %}",
            #"{"wifi_sta":{"rssi":"?"}}"#, "poor"
        ),
        (
            "{% set lanes = value_json.lanes_free | int(0) %}{% if lanes <= 1 %}low{% elif lanes <= 3 %}medium{% else %}high{% endif %}",
            #"{"lanes_free":3}"#, "medium"
        ),
        (
            "{% set s = value_json.status %}{% if s == 'received' %}busy{% else %}{{ s | default(value_json.command) | default(value_json.name) | default(value_json.id) | default('') }}{% endif %}",
            #"{"id":7}"#, "7"
        ),
        (
            "{% set s = value_json.status %}{% if s == 'received' %}busy{% else %}{{ s | default(value_json.command) | default(value_json.name) | default(value_json.id) | default('') }}{% endif %}",
            #"{"status":"received"}"#, "busy"
        ),
        (
            "{% set s = value_json.status %}{% if s == 'received' %}busy{% else %}{{ s | default(value_json.command) | default(value_json.name) | default(value_json.id) | default('') }}{% endif %}",
            "{}", ""
        ),
        (
            "{% set a = value_json.get('ARM') %}{% if a is mapping %}{% set s = (a.get('S') or '') %}{% else %}{% set s = (a or '') %}{% endif %}{% set s = (s|string)|upper %}{{ 'ON' if s not in ['','D','DISARM','DISINSERITO'] else 'OFF' }}",
            #"{"ARM":{"S":"t"}}"#, "ON"
        ),
        (
            "{% set a = value_json.get('ARM') %}{% if a is mapping %}{% set s = (a.get('S') or '') %}{% else %}{% set s = (a or '') %}{% endif %}{% set s = (s|string)|upper %}{{ 'ON' if s not in ['','D','DISARM','DISINSERITO'] else 'OFF' }}",
            #"{"ARM":"d"}"#, "OFF"
        ),
        (
            "{% set a = value_json.get('ARM') %}{% if a is mapping %}{% set s = (a.get('S') or '') %}{% else %}{% set s = (a or '') %}{% endif %}{% set s = (s|string)|upper %}{{ 'ON' if s not in ['','D','DISARM','DISINSERITO'] else 'OFF' }}",
            "{}", "OFF"
        ),
        (
            "{% set values = { '0':'off', '1':'on'} %}{{ values[value] if value in values.keys() else 'off' }}",
            "1", "on"
        ),
        (
            "{% set values = { '0':'off', '1':'on'} %}{{ values[value] if value in values.keys() else 'off' }}",
            "2", "off"
        ),
        (
            "{% if value_json is defined %}{{ value_json.trackPoints[-1].dateTime if 'trackPoints' in value_json and (value_json.trackPoints | length) > 0 }}{% endif %}",
            #"{"trackPoints":[{"dateTime":"a"},{"dateTime":"b"}]}"#, "b"
        ),
        (
            "{% if value_json is defined %}{{ value_json.trackPoints[-1].dateTime if 'trackPoints' in value_json and (value_json.trackPoints | length) > 0 }}{% endif %}",
            #"{"trackPoints":[]}"#, ""
        ),
        (
            "{% if value_json is defined %}{{ value_json.trackPoints[-1].dateTime if 'trackPoints' in value_json and (value_json.trackPoints | length) > 0 }}{% endif %}",
            "not json", ""
        ),
        (
            "{% if value_json['operating status (brightness)']|int > 0 %}ON{% else %}OFF{% endif %}",
            #"{"operating status (brightness)":12}"#, "ON"
        ),
        (
            #"{{ value_json.data.smart_results[0].attrs["5"].raw_value }}"#,
            #"{"data":{"smart_results":[{"attrs":{"5":{"raw_value":0}}}]}}"#, "0"
        ),
        (
            "{% if value_json.alarm %}triggered{% elif value_json.status == 0 %}disarmed{% else %}armed_away{% endif %}",
            #"{"alarm":false,"status":0}"#, "disarmed"
        ),
        (
            "{% if value_json.alarm %}triggered{% elif value_json.status == 0 %}disarmed{% else %}armed_away{% endif %}",
            #"{"alarm":1}"#, "triggered"
        ),
        (
            #"{% if value_json.payload == 0 %} "0" {% elif value_json.payload == 1 %} "1" {% endif %}"#,
            #"{"payload":1}"#, #""1""#
        ),
        (
            #"{% if value_json.matrixPower %}{"power":true}{% else %}{"power":false}{% endif %}"#,
            #"{"matrixPower":true}"#, #"{"power":true}"#
        ),
        (
            #"{% if value_json.power == "OFF" %}off{% else %}{{ value_json.mode | lower }}{% endif %}"#,
            #"{"power":"ON","mode":"COOL"}"#, "cool"
        ),
        ("{{ value_json.currentJob.jobType if value_json.currentJob is defined else 'None' }}", "{}", "None"),
        (
            "{{ value_json.currentJob.jobType if value_json.currentJob is defined else 'None' }}",
            #"{"currentJob":{"jobType":"cook"}}"#, "cook"
        ),
        ("{{ 'ON' if value_json.presence | default(false) else 'OFF' }}", "{}", "OFF"),
        ("{{ 'ON' if value_json.presence | default(false) else 'OFF' }}", #"{"presence":true}"#, "ON"),
        ("{{ (value / 2.55) | round | int }}", "128", nil),
        ("{{ (value_json.speed * 25) | int }}", #"{"speed":3}"#, "75"),
        ("{{ (value_json.brightness / 255 * 100) | round(0) }}", #"{"brightness":128}"#, "50"),
    ]
}
